//! Words all in capitals: some name organisations, most are terms of a trade and name nothing.

/// Public bodies and companies that everybody knows by their letters.
const BODIES: &[&str] = &[
    "aa", "abc", "aclu", "adac", "afl", "ard", "bbc", "bmw", "cbs", "cdc", "cdu", "cern", "cia", "cnn",
    "csu", "darpa", "dhl", "ecb", "edf", "epa", "esa", "espn", "eth", "fbi", "fc", "fda", "fdp", "fedex",
    "fema", "fifa", "hbo", "hp", "hsbc", "iaea", "ibm", "ikea", "imf", "interpol", "irs", "kgb", "kkk",
    "lapd", "lse", "mcc", "mgm", "mit", "mlb", "mls", "mtv", "nasa", "nascar", "nato", "nba", "nbc", "ncaa",
    "nfl", "nhl", "nhs", "noaa", "npr", "nsa", "nypd", "nyu", "oecd", "opec", "osce", "pbs", "rcmp", "sncf",
    "snp", "spd", "tsmc", "ucl", "ucla", "uefa", "un", "unesco", "unhcr", "unicef", "ups", "usaid", "usc",
    "usps", "wbc", "who", "wto", "wwe", "wwf", "ymca", "zdf", "eu", "faa", "fcc", "sec", "gm", "ge", "sap",
    "amd", "aws", "rspca",
];

/// Terms of offices and computers, written in capitals.
const TERMS: &[&str] = &[
    "ac", "ad", "adhd", "ai", "aka", "am", "aoc", "api", "apis", "apr", "arpu", "ascii", "asap", "atm",
    "bbq", "bc", "bce", "bmi", "byob", "cad", "cagr", "capex", "cd", "ce", "cdn", "ceo", "cfo", "ci", "cli",
    "cms", "cmo", "coo", "cpo", "cpu", "crm", "css", "csv", "cto", "cv", "db", "ddos", "diy", "dj", "dlc",
    "dm", "dms", "dna", "dns", "dvd", "ebitda", "ecg", "eeg", "eod", "eps", "erp", "eta", "etf", "etl", "ev",
    "evs", "exif", "faq", "faqs", "ffi", "fps", "ftp", "fx", "fyi", "gaap", "gdp", "gdpr", "gif", "gis",
    "gmt", "gpa", "gps", "gpu", "gpus", "grpc", "gui", "hd", "hdmi", "hiit", "hiv", "hpc", "hq", "hr",
    "html", "http", "https", "hvac", "iban", "id", "ide", "ids", "ifrs", "imap", "iot", "ip", "ipo", "iq",
    "ira", "isbn", "iso", "it", "ivf", "jit", "jpeg", "json", "jwt", "kpi", "kpis", "lan", "lcd", "led",
    "llm", "llms", "ltv", "mba", "mfa", "ml", "mri", "mrr", "mvp", "nda", "nft", "ngo", "nlp", "nps", "npc",
    "oauth", "ocr", "okr", "okrs", "oop", "opex", "orm", "os", "otp", "pc", "pcs", "pdf", "pdfs", "ph",
    "phd", "pin", "pm", "png", "po", "pov", "pr", "prs", "ps", "pta", "pto", "ptsd", "qa", "qr", "ram",
    "rbac", "rest", "rf", "rfc", "rfp", "rna", "roi", "rom", "rpc", "rpg", "rsi", "rss", "rsvp", "saas",
    "sat", "sdk", "seo", "sla", "slas", "slo", "sms", "smtp", "soap", "sop", "sos", "spf", "sql", "sre",
    "srs", "ssd", "ssh", "ssl", "sso", "stem", "suv", "svg", "tcp", "tba", "tbd", "tls", "todo", "tv", "tvs",
    "ufo", "ui", "url", "urls", "usb", "utc", "utf", "ux", "vat", "vip", "vm", "vms", "vp", "vpn", "vr",
    "wifi", "wip", "wlan", "xml", "yaml",
];

/// Whether a lower-case word is a term that names nobody, written in capitals.
pub(super) fn is_term(word: &str) -> bool {
    TERMS.contains(&word)
}

/// Whether a lower-case word is the name of a known body, written in capitals.
pub(super) fn is_body(word: &str) -> bool {
    BODIES.contains(&word)
}

//! The names that worlds are made of.

/// First names, and whether they are a woman's.
pub(super) const PEOPLE: &[(&str, bool)] = &[
    ("Ana", true),
    ("Tomas", false),
    ("Ngozi", true),
    ("Karim", false),
    ("Leila", true),
    ("Bram", false),
    ("Odile", true),
    ("Marcel", false),
    ("Adaeze", true),
    ("Rui", false),
    ("Signe", true),
    ("Pavel", false),
    ("Ines", true),
    ("Olav", false),
    ("Henrike", true),
    ("Kofi", false),
    ("Selin", true),
    ("Deniz", false),
    ("Maeve", true),
    ("Callum", false),
    ("Priya", true),
    ("Arjun", false),
    ("Yuki", true),
    ("Haruto", false),
    ("Rosa", true),
    ("Diego", false),
    ("Teresa", true),
    ("Stefan", false),
    ("Fatima", true),
    ("Yusuf", false),
    ("Hannah", true),
    ("Oscar", false),
    ("Beatriz", true),
    ("Luca", false),
    ("Greta", true),
    ("Anton", false),
    ("Noor", true),
    ("Samir", false),
    ("Clara", true),
    ("Felix", false),
    ("Elena", true),
    ("Viktor", false),
    ("Amara", true),
    ("Jonas", false),
    ("Sofia", true),
    ("Mateo", false),
];

/// Towns, the county or country that each lies in, and which of both that is.
pub(super) const TOWNS: &[(&str, &str, &str)] = &[
    ("Porto", "Portugal", "country"),
    ("Cork", "Ireland", "country"),
    ("Ghent", "Belgium", "country"),
    ("Lyon", "France", "country"),
    ("Gdynia", "Poland", "country"),
    ("Trieste", "Italy", "country"),
    ("Aarhus", "Denmark", "country"),
    ("Ashcombe", "Devon", "county"),
    ("Brackwater", "Norfolk", "county"),
    ("Fernhollow", "Cornwall", "county"),
    ("Wexmoor", "Kent", "county"),
];

/// Companies.
pub(super) const COMPANIES: &[&str] = &[
    "Tidewheel",
    "Brightwell Bank",
    "Mosswell Mills",
    "Quarry Lane Press",
    "Fernwood Dairy",
    "Lanternworks",
    "Northgate Robotics",
    "Halden Shipping",
    "Copperleaf",
    "Bluefin Labs",
    "Orchard Foods",
    "Kestrel Insurance",
];

/// Schools.
pub(super) const SCHOOLS: &[&str] =
    &["Riverside College", "Hilltop School", "St Olav's School", "Linden Academy", "Greenfield School"];

/// Pets, and what each is.
pub(super) const PETS: &[(&str, &str)] = &[
    ("Biscuit", "dog"),
    ("Miso", "cat"),
    ("Rex", "dog"),
    ("Pip", "cat"),
    ("Waffles", "dog"),
    ("Shadow", "cat"),
    ("Nutmeg", "rabbit"),
    ("Clover", "rabbit"),
];

/// What people do for a living.
pub(super) const JOBS: &[&str] =
    &["nurse", "carpenter", "designer", "bookkeeper", "welder", "translator", "chemist", "plumber"];

/// Instruments.
pub(super) const INSTRUMENTS: &[&str] =
    &["cello", "piano", "violin", "trumpet", "flute", "drums", "harp", "clarinet"];

/// Pastimes.
pub(super) const HOBBIES: &[&str] =
    &["pottery", "birdwatching", "fencing", "archery", "woodcarving", "beekeeping", "origami", "gardening"];

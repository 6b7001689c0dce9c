//! One try of one request, through async-openai: what comes back, or what was in the way and whether another try may help.

use std::error::Error as StdError;
use std::fmt::Display;
use std::time::Duration;

use async_openai::Client as OpenAi;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use async_openai::types::embeddings::{CreateEmbeddingRequest, EmbeddingInput, EncodingFormat};
use http::{HeaderMap, StatusCode, header};
use rustls::{ClientConfig, RootCertStore};

use super::answer::Answer;
use super::settings::Settings;

/// The most bytes of an answer: many times what the largest vectors of the largest request take.
const ANSWER_MAX: usize = 256 << 20;
/// How much of what an endpoint says of an error is told, in characters.
const TOLD_MAX: usize = 300;
/// A server that does not answer a call for a connection in that time is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// Why there are no vectors.
#[derive(Debug, Clone)]
pub(super) enum Trouble {
    /// Trying again may help, perhaps not before so long.
    Again(String, Option<Duration>),
    /// The endpoint does not take these texts; fewer or shorter ones it may.
    TooMuch(String),
    /// Somebody must do something first.
    Refused(String),
}

/// Whoever asks the endpoint.
pub(super) struct Client {
    openai: OpenAi<OpenAIConfig>,
    settings: Settings,
    key: Option<String>,
}

/// An answer that is none.
#[derive(Debug, thiserror::Error)]
#[error("{status}: {body}")]
struct Refusal {
    status: StatusCode,
    after: Option<Duration>,
    body: String,
}

#[derive(Debug, thiserror::Error)]
#[error("the answer has more than {ANSWER_MAX} bytes")]
struct Endless;

impl Client {
    /// A client with the key that the environment has now, if it has one.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let variable = settings.key_variable();
        let key = std::env::var_os(variable).filter(|key| !key.is_empty());
        let key = key.map(|key| {
            let key = key.into_string().ok().map(|key| key.trim().to_owned());
            key.filter(|key| !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic()))
                .ok_or_else(|| format!("the key in the environment variable {variable} is blank or has characters that no key has"))
        });
        let key = key.transpose()?;
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls(&settings.url))
            .connect_timeout(CONNECT)
            // What is meant for one address is not sent to another.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("lorebase/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("a client for {} cannot be made: {}", settings.url, cause(&error)))?;
        let (named, plain) = (key.is_some(), http.clone());
        let service = tower::service_fn(move |factory: HttpRequestFactory| {
            let http = http.clone();
            async move {
                let mut request = factory.build().await?;
                if !named {
                    request.headers_mut().remove(header::AUTHORIZATION);
                }
                whole(http.execute(request).await?).await
            }
        });
        // Nothing of it is taken from the environment, as it would be by default.
        let config = OpenAIConfig::new()
            .with_api_base(settings.url.trim_end_matches('/'))
            .with_api_key(key.as_deref().unwrap_or_default())
            .with_org_id("")
            .with_project_id("");
        let openai = OpenAi::build(plain, config).with_http_service(service);
        Ok(Self { openai, settings: settings.clone(), key })
    }

    /// Asks for the vectors of texts, once.
    pub(super) async fn ask(
        &self,
        texts: &[String],
        dimensions: Option<usize>,
    ) -> Result<Vec<Vec<f32>>, Trouble> {
        let request = CreateEmbeddingRequest {
            model: self.settings.model.clone(),
            input: EmbeddingInput::StringArray(texts.to_vec()),
            encoding_format: Some(EncodingFormat::Float),
            user: None,
            dimensions: self.settings.dimensions.and_then(|dimensions| u32::try_from(dimensions).ok()),
        };
        let answer: Answer =
            self.openai.embeddings().create_byot(request).await.map_err(|error| self.told(error))?;
        answer.vectors(texts.len(), dimensions).map_err(|problem| {
            let problem =
                format!("{} gives {problem}, so it is not what it was or not what is meant", self.whom());
            Trouble::Refused(problem)
        })
    }

    /// The model and where it is.
    fn whom(&self) -> String {
        format!("the model {} at {}", self.settings.model, self.settings.url)
    }

    fn told(&self, error: OpenAIError) -> Trouble {
        let url = &self.settings.url;
        match error {
            OpenAIError::Boxed(error) => match error.downcast::<Refusal>() {
                Ok(refusal) => self.refusal(&refusal),
                Err(error) => Trouble::Refused(format!("{url}: {error}")),
            },
            OpenAIError::Reqwest(error) => self.unreached(&error),
            OpenAIError::JSONDeserialize(error, _) if error.is_eof() => {
                Trouble::Again(format!("the answer of {url} broke off"), None)
            }
            OpenAIError::JSONDeserialize(error, _) => Trouble::Refused(format!(
                "what {url}/embeddings answers are no embeddings ({error}); check the URL, which mostly ends in /v1"
            )),
            other => Trouble::Refused(format!("{url}: {}", self.without_key(&other))),
        }
    }

    fn refusal(&self, refusal: &Refusal) -> Trouble {
        let Refusal { status, after, body } = refusal;
        let (url, model) = (&self.settings.url, &self.settings.model);
        let said = format!("{status}{}", self.said(body));
        let variable = self.settings.key_variable();
        match status.as_u16() {
            429 if body.contains("insufficient_quota") => {
                Trouble::Refused(format!("{url} says that nothing is left of what was paid for ({said})"))
            }
            408 | 425 | 429 | 500.. => Trouble::Again(format!("{url} says {said}"), *after),
            400 | 413 | 422 => Trouble::TooMuch(format!("{} does not take it ({said})", self.whom())),
            401 | 403 if self.key.is_some() => Trouble::Refused(format!(
                "{url} does not take the key in the environment variable {variable} ({said}); put another there"
            )),
            401 | 403 => Trouble::Refused(format!(
                "{url} wants a key ({said}), and the environment variable {variable} is not set; put the key there, or \
                 add the model with --key-variable and the name of the one that has it"
            )),
            404 => Trouble::Refused(format!(
                "{url} has no model {model}, or it makes no embeddings there ({said}); check both the name and the URL, \
                 which mostly ends in /v1"
            )),
            300..=399 => {
                Trouble::Refused(format!("{url} leads elsewhere ({said}); give the URL to which it leads"))
            }
            _ => Trouble::Refused(format!("{url} says {said}")),
        }
    }

    fn unreached(&self, error: &reqwest::Error) -> Trouble {
        let url = &self.settings.url;
        let cause = self.without_key(&cause(error));
        if error.is_builder() {
            return Trouble::Refused(format!("{url} is no URL ({cause})"));
        }
        if is_distrust(error) {
            return Trouble::Refused(format!(
                "whoever answers for {url} is not who was asked ({cause}); where its certificate is your own, let the system \
                 trust it, such as by SSL_CERT_FILE"
            ));
        }
        let problem = if error.is_timeout() {
            format!("{url} does not answer")
        } else if error.is_connect() {
            format!("{url} cannot be reached ({cause})")
        } else {
            format!("the answer of {url} broke off ({cause})")
        };
        Trouble::Again(problem, None)
    }

    /// What an endpoint says of an error, in brackets' length.
    fn said(&self, body: &str) -> String {
        let parsed: Option<serde_json::Value> = serde_json::from_str(body).ok();
        let message = parsed.as_ref().and_then(|value| {
            let error = value.get("error").unwrap_or(value);
            error.get("message").unwrap_or(error).as_str()
        });
        let told: String = self.without_key(&message.unwrap_or(body).trim()).chars().take(TOLD_MAX).collect();
        if told.is_empty() { told } else { format!(": {told}") }
    }

    fn without_key(&self, text: &impl Display) -> String {
        let text = text.to_string();
        self.key.as_ref().map_or(text.clone(), |key| text.replace(key.as_str(), "(the key)"))
    }
}

/// A response with all of its body, if it is one.
async fn whole(mut response: reqwest::Response) -> Result<reqwest::Response, OpenAIError> {
    let (status, after) = (response.status(), after(response.headers()));
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await? {
        if body.len() + piece.len() > ANSWER_MAX {
            return Err(OpenAIError::Boxed(Box::new(Endless)));
        }
        body.extend_from_slice(&piece);
    }
    if status.is_success() {
        return Ok(http::Response::new(body).into());
    }
    let body = String::from_utf8_lossy(&body).into_owned();
    Err(OpenAIError::Boxed(Box::new(Refusal { status, after, body })))
}

/// How long the endpoint wants to be left alone. A date is not read: our own pauses do.
fn after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|millis| millis / 1e3).or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Trusts whom browsers trust, and whom this system does: an endpoint may be one's own.
fn tls(url: &str) -> ClientConfig {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    // Those of the system take a while to read, and are not needed for what is not closed to others.
    if url.starts_with("https:") {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    ClientConfig::builder_with_provider(std::sync::Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the usual protocols")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

/// What lies at the bottom of an error.
fn cause(error: &(dyn StdError + 'static)) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

fn is_distrust(error: &(dyn StdError + 'static)) -> bool {
    chain(error).any(|error| error.is::<rustls::Error>() || error.downcast_ref().is_some_and(holds_distrust))
}

/// Whether an error of the system holds one of TLS, perhaps in another. It tells its source's source for its own, so both are
/// passed over otherwise.
fn holds_distrust(error: &std::io::Error) -> bool {
    let Some(inner) = error.get_ref() else { return false };
    inner.downcast_ref::<rustls::Error>().is_some() || inner.downcast_ref().is_some_and(holds_distrust)
}

fn chain<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distrust_is_found_however_deep_it_lies() {
        let distrust = || rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
        let deep = std::io::Error::other(std::io::Error::new(std::io::ErrorKind::InvalidData, distrust()));
        assert!(is_distrust(&distrust()) && is_distrust(&deep));
        assert!(!is_distrust(&std::io::Error::other(std::io::Error::other("refused"))));
    }

    #[test]
    fn pauses_are_read_in_seconds_and_in_thousandths() {
        let read = |name, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HeaderName::from_static(name), value.parse().expect("it is readable"));
            after(&headers)
        };
        assert_eq!(read("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(read("retry-after", " 0.5 "), Some(Duration::from_millis(500)));
        assert_eq!(read("retry-after-ms", "20"), Some(Duration::from_millis(20)));
        for nothing in ["-1", "NaN", "inf", "Wed, 21 Oct 2015 07:28:00 GMT", ""] {
            assert_eq!(read("retry-after", nothing), None, "{nothing}");
        }
    }
}

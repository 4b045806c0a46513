//! How a refusal becomes a response.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::answers::Refusal;

/// The type of most answers.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, [(header::CONTENT_TYPE, JSON)], self.json()).into_response();
        if let Some(seconds) = self.seconds_to_wait() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

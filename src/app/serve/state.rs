//! What all requests share.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use super::hosts::Hosts;
use super::origins::Origins;
use super::search::Searches;
use super::waiting::WaitingAnswers;
use super::workers::Workers;
use crate::game::variants::RuleSet;
use crate::knowledge::Knowledge;

/// What the server holds while it runs.
#[derive(Debug)]
pub(super) struct App {
    pub(super) knowledge: Arc<Knowledge>,
    pub(super) searches: Searches,
    pub(super) hosts: Hosts,
    /// Whose pages may ask, beside the own ones.
    pub(super) origins: Origins,
    /// Requests that may be answered at once.
    pub(super) requests: Semaphore,
    /// Bodies of requests that may be held at once.
    pub(super) bodies: Semaphore,
    /// Answers that may be worked out at once.
    pub(super) workers: Workers,
    /// Answers that are not sent yet.
    pub(super) waiting: WaitingAnswers,
    pub(super) began: Instant,
    /// The game that the page begins with.
    pub(super) begins_with: RuleSet,
}

//! Regions: parts of a board that are games of their own, and bounds on what they are worth.

pub mod blocker;
pub mod component;

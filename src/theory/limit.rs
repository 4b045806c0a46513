//! Limits of searches that could take any time and any memory.
//!
//! A search that may be limited takes a [`Limit`] and asks it before each thing it remembers. It
//! remembers only what it has finished, so what is remembered is true whether or not the limit was
//! reached. [`Unlimited`] costs nothing: it cannot be reached, and the compiler knows it.

use std::convert::Infallible;

/// Whether a search may go on.
pub(crate) trait Limit {
    /// What is said when it may not.
    type Reached;

    /// Asked before one more thing is found and remembered.
    ///
    /// # Errors
    /// If the search has to end.
    fn check(&self) -> Result<(), Self::Reached>;
}

/// The limit that is never reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unlimited;

impl Limit for Unlimited {
    type Reached = Infallible;

    #[inline]
    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Whether one of some items is as asked; the others after it are not looked at.
///
/// # Errors
/// The first of the questions that were put.
#[inline]
pub(crate) fn any<T: Copy, E>(
    items: &[T],
    mut asked: impl FnMut(T) -> Result<bool, E>,
) -> Result<bool, E> {
    for &item in items {
        if asked(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

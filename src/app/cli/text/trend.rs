//! The exponential trend of figures, with how far it can be trusted.

/// Figures that grow or fall by a factor with each step: the straight line nearest to their
/// logarithms by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app::cli) struct Trend {
    /// The number of figures.
    count: f64,
    /// What they go by, from the first to the last.
    from: f64,
    to: f64,
    /// The mean of what they go by, and of their logarithms.
    mean: (f64, f64),
    /// By how much the logarithm rises with each step.
    slope: f64,
    /// The squares of the distances from the mean of what they go by, together.
    spread: f64,
    /// The variance of the logarithms about the line.
    variance: f64,
}

impl Trend {
    /// The trend of at least three figures above 0, which go by at least two different numbers;
    /// `None` for others.
    pub(in crate::app::cli) fn of(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        if points.len() < 3 || points.iter().any(|point| point.1 <= 0.0) {
            return None;
        }
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let mean = (mean(|point| point.0), mean(|point| point.1.ln()));
        let away = || points.iter().map(|point| (point.0 - mean.0, point.1.ln() - mean.1));
        let spread: f64 = away().map(|(x, _)| x * x).sum();
        if spread <= 0.0 {
            return None;
        }
        let slope = away().map(|(x, y)| x * y).sum::<f64>() / spread;
        let left: f64 = away().map(|(x, y)| (y - slope * x).powi(2)).sum();
        let by = || points.iter().map(|point| point.0);
        Some(Self {
            count,
            from: by().fold(f64::MAX, f64::min),
            to: by().fold(f64::MIN, f64::max),
            mean,
            slope,
            spread,
            variance: left / (count - 2.0),
        })
    }

    /// What the figures go by, from the first to the last.
    pub(in crate::app::cli) fn range(&self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// By what the figures are multiplied with each step.
    pub(in crate::app::cli) fn factor(&self) -> f64 {
        self.slope.exp()
    }

    /// The standard error of [`factor`](Self::factor).
    pub(in crate::app::cli) fn factor_error(&self) -> f64 {
        self.factor() * (self.variance / self.spread).sqrt()
    }

    /// The trend at a place, and how low and how high it is within one standard error.
    pub(in crate::app::cli) fn at(&self, by: f64) -> [f64; 3] {
        let away = by - self.mean.0;
        let middle = self.mean.1 + self.slope * away;
        let error = (self.variance * (1.0 / self.count + away * away / self.spread)).sqrt();
        [middle, middle - error, middle + error].map(f64::exp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_doubles_has_the_factor_two_and_no_error() {
        let points = [(3.0, 1.0), (4.0, 2.0), (5.0, 4.0), (6.0, 8.0)];
        let trend = Trend::of(&points).unwrap();
        assert!((trend.factor() - 2.0).abs() < 1e-12 && trend.factor_error() < 1e-9);
        assert!(trend.at(7.0).iter().all(|figure| (figure - 16.0).abs() < 1e-9));
        assert_eq!(trend.range(), (3.0, 6.0));
    }

    /// By hand: logarithms 0, 0 and 3 at -1, 0 and 1 have the slope 3/2 and are 1/2, 1 and 1/2 away
    /// from the line, so the variance is 3/2, and the error of the slope is its root by that of 2.
    #[test]
    fn the_error_is_that_of_least_squares() {
        let points = [(-1.0, 1.0), (0.0, 1.0), (1.0, 3f64.exp())];
        let trend = Trend::of(&points).unwrap();
        assert!((trend.factor().ln() - 1.5).abs() < 1e-12);
        assert!((trend.factor_error() / trend.factor() - 0.75f64.sqrt()).abs() < 1e-12);
        let [middle, low, high] = trend.at(0.0).map(f64::ln);
        assert!((middle - 1.0).abs() < 1e-12);
        assert!((high - middle - 0.5f64.sqrt()).abs() < 1e-12 && (low + high - 2.0).abs() < 1e-12);
    }

    #[test]
    fn too_few_figures_have_no_trend() {
        assert_eq!(Trend::of(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(Trend::of(&[(1.0, 1.0), (2.0, 0.0), (3.0, 2.0)]), None);
        assert_eq!(Trend::of(&[(1.0, 1.0), (1.0, 2.0), (1.0, 2.0)]), None);
    }
}

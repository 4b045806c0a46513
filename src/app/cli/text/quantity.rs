//! Sizes and times for people, who need two or three digits and a unit.

use indicatif::DecimalBytes;

/// A number of bytes: `1.5 MB`, `54 TB`; in digits if no unit is large enough.
pub(in crate::app::cli) fn bytes(number: u128) -> String {
    match u64::try_from(number) {
        Ok(number) => DecimalBytes(number).to_string(),
        Err(_) => format!("{:.2e} bytes", number as f64),
    }
}

/// A time: `0.003 s`, `42 s`, `13 min`, `6.6 days`, `3.1e5 years`.
pub(in crate::app::cli) fn time(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    const YEAR: f64 = 365.25 * DAY;
    match seconds {
        short if short < 1.0 => format!("{short:.3} s"),
        short if short < 2.0 * MINUTE => format!("{short:.0} s"),
        some if some < 2.0 * HOUR => format!("{:.0} min", some / MINUTE),
        some if some < 2.0 * DAY => format!("{:.1} h", some / HOUR),
        long if long < YEAR => format!("{:.1} days", long / DAY),
        long if long < 1000.0 * YEAR => format!("{:.1} years", long / YEAR),
        long => format!("{:.1e} years", long / YEAR),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_has_a_unit_and_few_digits() {
        assert_eq!(bytes(1_506_530), "1.51 MB");
        assert_eq!(bytes(53_980_291_587_615), "53.98 TB");
        assert_eq!(bytes(u128::MAX), "3.40e38 bytes");
        let times = [0.0034, 42.4, 800.0, 40_000.0, 567_165.487, 1e9, 1e15];
        let told = ["0.003 s", "42 s", "13 min", "11.1 h", "6.6 days", "31.7 years", "3.2e7 years"];
        assert_eq!(times.map(time), told);
    }
}

//! Thermographs: what each player gets from a game when every move costs a tax of `t`.
//!
//! The left scaffold of G is the largest right wall among its left options, less `t`; the right
//! scaffold the smallest left wall among its right options, plus `t`. Where the scaffolds cross
//! lies the *temperature*; above it both walls are a vertical *mast* at the *mean* (Berlekamp,
//! Conway, Guy, *Winning Ways*, chapter 6). Walls are piecewise linear with slopes -1, 0 and 1, so
//! all corners are dyadic.

use super::Dyadic;

/// One wall: its corners by increasing tax, the first at tax 0, and the slope above the last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wall {
    corners: Vec<(Dyadic, Dyadic)>,
    slope: i8,
}

impl Wall {
    fn vertical(value: Dyadic) -> Self {
        Self { corners: vec![(Dyadic::ZERO, value)], slope: 0 }
    }

    /// The corners as (tax, value), by increasing tax. Above the last the wall is vertical.
    pub fn corners(&self) -> &[(Dyadic, Dyadic)] {
        &self.corners
    }

    /// The value at a tax of at least 0.
    pub fn at(&self, tax: Dyadic) -> Dyadic {
        let next = self.corners.partition_point(|&(t, _)| t <= tax);
        let (t, v) = self.corners[next - 1];
        let slope = self.corners.get(next).map_or(self.slope, |&(_, w)| w.cmp(&v) as i8);
        moved(v, tax - t, slope)
    }

    fn slope_after(&self, tax: Dyadic) -> i8 {
        let next = self.corners.partition_point(|&(t, _)| t <= tax);
        let (_, v) = self.corners[next - 1];
        self.corners.get(next).map_or(self.slope, |&(_, w)| w.cmp(&v) as i8)
    }

    /// The wall plus `sign` times the tax. Walls of left options lean right and those of right
    /// options left, so every slope stays within -1 to 1.
    pub(super) fn taxed(&self, sign: i8) -> Self {
        let corners = self.corners.iter().map(|&(t, v)| (t, moved(v, t, sign))).collect();
        Self { corners, slope: self.slope + sign }
    }

    /// All taxes where either wall has a corner or the two cross.
    fn joints(&self, other: &Self) -> Vec<Dyadic> {
        let mut taxes: Vec<Dyadic> =
            self.corners.iter().chain(&other.corners).map(|&(t, _)| t).collect();
        taxes.sort_unstable();
        taxes.dedup();
        let mut crossings = Vec::new();
        for (i, &tax) in taxes.iter().enumerate() {
            if let Some(crossing) = self.crossing_after(other, tax)
                && taxes.get(i + 1).is_none_or(|&end| crossing < end)
            {
                crossings.push(crossing);
            }
        }
        taxes.extend(crossings);
        taxes.sort_unstable();
        taxes
    }

    /// Where the straight pieces that begin at `tax` cross strictly above it.
    fn crossing_after(&self, other: &Self, tax: Dyadic) -> Option<Dyadic> {
        let gap = self.at(tax) - other.at(tax);
        let closing = other.slope_after(tax) - self.slope_after(tax);
        let (gap, closing) = if gap < Dyadic::ZERO { (-gap, -closing) } else { (gap, closing) };
        if gap == Dyadic::ZERO || closing <= 0 {
            return None;
        }
        Some(tax + if closing == 2 { gap.half() } else { gap })
    }

    pub(super) fn merged(&self, other: &Self, pick: impl Fn(Dyadic, Dyadic) -> Dyadic) -> Self {
        let joints = self.joints(other);
        let corners: Vec<_> = joints.iter().map(|&t| (t, pick(self.at(t), other.at(t)))).collect();
        let (last, value) = corners[corners.len() - 1];
        let one = Dyadic::integer(1);
        let beyond = pick(self.at(last + one), other.at(last + one));
        Self { corners, slope: beyond.cmp(&value) as i8 }.simplified()
    }

    /// Drops corners where the slope does not change.
    fn simplified(mut self) -> Self {
        let mut kept: Vec<(Dyadic, Dyadic)> = Vec::with_capacity(self.corners.len());
        for i in 0..self.corners.len() {
            let (_, v) = self.corners[i];
            let after = self.corners.get(i + 1).map_or(self.slope, |&(_, w)| w.cmp(&v) as i8);
            let before = kept.last().map(|&(_, u)| v.cmp(&u) as i8);
            if before != Some(after) {
                kept.push(self.corners[i]);
            }
        }
        self.corners = kept;
        self
    }

    /// The wall up to `tax`, vertical above.
    fn cut(&self, tax: Dyadic) -> Self {
        let mut corners: Vec<_> = self.corners.iter().copied().filter(|&(t, _)| t < tax).collect();
        corners.push((tax, self.at(tax)));
        Self { corners, slope: 0 }.simplified()
    }
}

/// `value + slope * distance` for a slope of -1, 0 or 1.
fn moved(value: Dyadic, distance: Dyadic, slope: i8) -> Dyadic {
    match slope {
        0 => value,
        1 => value + distance,
        _ => value - distance,
    }
}

/// The thermograph of a value for taxes from 0 on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thermograph {
    /// What Left gets by beginning.
    pub left: Wall,
    /// What is left to Left when Right begins.
    pub right: Wall,
    /// Where the mast begins. `-1/2^k` for a number with denominator `2^k`, as no tax lower than
    /// that makes moving in it worth while.
    pub temperature: Dyadic,
    /// Where the mast stands.
    pub mean: Dyadic,
}

impl Thermograph {
    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> u64 {
        let corners = self.left.corners.capacity() + self.right.corners.capacity();
        (size_of::<Self>() + corners * size_of::<(Dyadic, Dyadic)>()) as u64
    }

    pub(super) fn of_number(number: Dyadic) -> Self {
        let wall = Wall::vertical(number);
        Self {
            left: wall.clone(),
            right: wall,
            temperature: -Dyadic::unit(number.exponent()),
            mean: number,
        }
    }

    pub(super) fn from_scaffolds(left: &Wall, right: &Wall) -> Self {
        let joints = left.joints(right);
        let met = joints.into_iter().find(|&t| left.at(t) <= right.at(t));
        // Scaffolds close in by at least one for each unit of tax from their last corners on, so
        // they meet.
        let temperature = met.unwrap_or_default();
        let (left, right) = (left.cut(temperature), right.cut(temperature));
        let mean = left.at(temperature);
        Self { left, right, temperature, mean }
    }
}

//! Plots as SVG text: thermographs, and lines of figures.

use std::fmt::Display;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::trend::Trend;
use crate::app::cli::context::Failure;
use crate::theory::values::{Dyadic, Thermograph, Wall};

const SIZE: (u32, u32) = (640, 400);
/// Colours that those who do not see all can tell apart (Okabe and Ito).
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);

/// The plotting crate refuses what cannot be drawn.
fn cannot_draw(error: impl Display) -> Failure {
    Failure::failed(format!("the plot cannot be drawn: {error}"))
}

/// The colours of several lines, of which the first two are the above.
const COLOURS: [RGBColor; 6] =
    [BLUE, ORANGE, RGBColor(0, 158, 115), RGBColor(204, 121, 167), RGBColor(120, 94, 0), BLACK];

/// Lines of figures.
pub(in crate::app::cli) struct Figures {
    pub(in crate::app::cli) title: String,
    /// What the figures go by.
    pub(in crate::app::cli) by: &'static str,
    /// What the figures are.
    pub(in crate::app::cli) axis: &'static str,
    pub(in crate::app::cli) series: Vec<Series>,
    /// The highest figure that is shown; if nothing is said, the highest there is.
    pub(in crate::app::cli) top: Option<f64>,
    pub(in crate::app::cli) scale: Scale,
}

/// One line of figures.
pub(in crate::app::cli) struct Series {
    /// What it is called beside other lines.
    pub(in crate::app::cli) name: String,
    /// What they go by, from 0, and the figure.
    pub(in crate::app::cli) points: Vec<(f64, f64)>,
    /// A trend that is drawn with them, and two steps further.
    pub(in crate::app::cli) trend: Option<Trend>,
}

impl Series {
    /// The only line, which needs no name.
    pub(in crate::app::cli) fn alone(points: Vec<(f64, f64)>) -> Vec<Self> {
        vec![Self { name: String::new(), points, trend: None }]
    }

    /// The name in the legend, with what the trend says.
    fn label(&self) -> String {
        self.trend.map_or_else(
            || self.name.clone(),
            |trend| {
                let (from, to) = trend.range();
                let (factor, error) = (trend.factor(), trend.factor_error());
                format!("{}, {from} to {to}: times {factor:.3} +- {error:.3}", self.name)
            },
        )
    }
}

/// Steps that a trend goes on behind the last figure.
const AHEAD: f64 = 2.0;

/// How figures are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app::cli) enum Scale {
    /// Evenly, from 0.
    Linear,
    /// By their logarithms, from 1 or the next lower power of 10.
    Logarithmic,
}

/// Lines of figures as SVG.
pub(in crate::app::cli) fn line(figures: &Figures) -> Result<String, Failure> {
    let points = || figures.series.iter().flat_map(|series| &series.points);
    let trends = figures.series.iter().filter_map(|series| series.trend);
    let ends = trends.map(|trend| trend.range().1 + AHEAD);
    let last = points().map(|point| point.0).chain(ends).fold(0.0, f64::max);
    let highest = points().map(|point| point.1).fold(0.0, f64::max);
    let last = if last > 0.0 { last } else { 1.0 };
    let top = figures.top.unwrap_or(highest * 1.05).max(f64::MIN_POSITIVE);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(cannot_draw)?;
        match figures.scale {
            Scale::Linear => draw(figures, &area, last, 0.0..top),
            Scale::Logarithmic => {
                let lowest = points().map(|point| point.1).filter(|&figure| figure > 0.0);
                let bottom = 10f64.powf(lowest.fold(1.0, f64::min).log10().floor());
                draw(figures, &area, last, (bottom..top.max(10.0)).log_scale())
            }
        }?;
        area.present().map_err(cannot_draw)?;
    }
    Ok(svg)
}

/// A frame with its title and the names of its axes, for figures that go up to `last` and lie
/// between `heights`.
fn frame<'a, 'b, Heights>(
    area: &'b DrawingArea<SVGBackend<'a>, Shift>,
    [title, by, axis]: [&str; 3],
    last: f64,
    heights: Heights,
) -> Result<
    ChartContext<'b, SVGBackend<'a>, Cartesian2d<RangedCoordf64, Heights::CoordDescType>>,
    Failure,
>
where
    Heights: AsRangedCoord<Value = f64>,
    Heights::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..last, heights)
        .map_err(cannot_draw)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(by).y_desc(axis).x_label_formatter(&|at| at.to_string());
    mesh.disable_x_mesh().draw().map_err(cannot_draw)?;
    Ok(chart)
}

/// Draws figures that go up to `last` and lie between `heights`.
fn draw<Heights>(
    figures: &Figures,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    last: f64,
    heights: Heights,
) -> Result<(), Failure>
where
    Heights: AsRangedCoord<Value = f64>,
    Heights::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = frame(area, [&figures.title, figures.by, figures.axis], last, heights)?;
    for (series, colour) in figures.series.iter().zip(COLOURS.into_iter().cycle()) {
        if let Some(trend) = series.trend {
            draw_trend(&mut chart, &trend, colour)?;
        }
        let points = || series.points.iter().copied();
        let line = LineSeries::new(points(), colour.stroke_width(2));
        let drawn = chart.draw_series(line).map_err(cannot_draw)?;
        if !series.name.is_empty() {
            drawn.label(series.label()).legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 14, y)], colour.stroke_width(2))
            });
        }
        let dots = points().map(|point| Circle::new(point, 3, colour.filled()));
        chart.draw_series(dots).map_err(cannot_draw)?;
    }
    if figures.series.iter().any(|series| !series.name.is_empty()) {
        let mut legend = chart.configure_series_labels();
        legend.background_style(WHITE.mix(0.85)).border_style(BLACK.mix(0.3));
        legend.position(SeriesLabelPosition::LowerLeft).draw().map_err(cannot_draw)?;
    }
    Ok(())
}

/// A trend as a dashed line, and one standard error on both sides as a band.
fn draw_trend<Heights>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<RangedCoordf64, Heights>>,
    trend: &Trend,
    colour: RGBColor,
) -> Result<(), Failure>
where
    Heights: Ranged<ValueType = f64>,
{
    let (from, to) = trend.range();
    let places = (0..=40).map(|step| from + (to + AHEAD - from) * f64::from(step) / 40.0);
    let line: Vec<_> = places.map(|by| (by, trend.at(by))).collect();
    let edge = |which: usize| line.iter().map(move |(by, at)| (*by, at[which]));
    let corners: Vec<_> = edge(1).chain(edge(2).rev()).collect();
    let band = Polygon::new(corners, colour.mix(0.15).filled());
    chart.draw_series([band]).map_err(cannot_draw)?;
    let dashes = DashedLineSeries::new(edge(0), 6, 4, colour.stroke_width(1));
    chart.draw_series(dashes).map_err(cannot_draw)?;
    Ok(())
}

/// Shares of a whole that stand on each other, from the bottom up.
pub(in crate::app::cli) struct Bands {
    pub(in crate::app::cli) title: String,
    /// What the shares go by.
    pub(in crate::app::cli) by: &'static str,
    /// The bands.
    pub(in crate::app::cli) names: [&'static str; 6],
    /// What the shares go by, from 0, and the share of each band, which are 100 together.
    pub(in crate::app::cli) points: Vec<(f64, [f64; 6])>,
}

/// From one side to the other, the two in the middle the palest.
const BAND_COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(86, 160, 211),
    RGBColor(189, 215, 238),
    RGBColor(250, 215, 190),
    RGBColor(233, 150, 90),
    RGBColor(213, 94, 0),
];

/// Bands as SVG.
pub(in crate::app::cli) fn bands(bands: &Bands) -> Result<String, Failure> {
    let last = bands.points.iter().map(|(at, _)| *at).fold(1.0, f64::max);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(cannot_draw)?;
        let mut chart = frame(&area, [&bands.title, bands.by, "%"], last, 0.0..100.0)?;
        for (number, (name, colour)) in bands.names.into_iter().zip(BAND_COLOURS).enumerate() {
            let height = |shares: &[f64; 6], below: usize| shares[..below].iter().sum::<f64>();
            let edge =
                |below: usize| bands.points.iter().map(move |(at, of)| (*at, height(of, below)));
            let corners = edge(number).chain(edge(number + 1).rev()).collect::<Vec<_>>();
            let series = chart.draw_series([Polygon::new(corners, colour.filled())]);
            series.map_err(cannot_draw)?.label(name).legend(move |(x, y)| {
                Rectangle::new([(x, y - 5), (x + 14, y + 5)], colour.filled())
            });
        }
        let mut legend = chart.configure_series_labels();
        legend.background_style(WHITE.mix(0.85)).border_style(BLACK.mix(0.3));
        legend.position(SeriesLabelPosition::LowerRight).draw().map_err(cannot_draw)?;
        area.present().map_err(cannot_draw)?;
    }
    Ok(svg)
}

/// The course of a game: who leads after each move, White above, and the moves that are marked.
pub(in crate::app::cli) fn course(
    title: &str,
    leads: &[(f64, f64)],
    marked: &[(f64, f64)],
    most: f64,
) -> Result<String, Failure> {
    let last = leads.last().map_or(1.0, |lead| lead.0.max(1.0));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(cannot_draw)?;
        let names = [title, "moves", "white leads by squares"];
        let mut chart = frame(&area, names, last, -most..most)?;
        let zero = [(0.0, 0.0), (last, 0.0)];
        chart.draw_series(LineSeries::new(zero, BLACK.stroke_width(1))).map_err(cannot_draw)?;
        let line = LineSeries::new(leads.iter().copied(), BLUE.stroke_width(2));
        chart.draw_series(line).map_err(cannot_draw)?;
        let dots = marked.iter().map(|&point| Circle::new(point, 5, ORANGE.filled()));
        chart.draw_series(dots).map_err(cannot_draw)?;
        area.present().map_err(cannot_draw)?;
    }
    Ok(svg)
}

/// A thermograph as it is drawn in books: values fall from left to right, the tax rises.
pub(in crate::app::cli) fn thermograph(
    title: &str,
    graph: &Thermograph,
) -> Result<String, Failure> {
    let real = |number: Dyadic| number.numerator() as f64 / f64::from(number.exponent()).exp2();
    let corners = |wall: &Wall| -> Vec<(f64, f64)> {
        wall.corners().iter().map(|&(tax, at)| (-real(at), real(tax))).collect()
    };
    let (left, right) = (corners(&graph.left), corners(&graph.right));
    let temperature = real(graph.temperature).max(0.0);
    let top = temperature * 1.4 + 0.5;
    let all = || left.iter().chain(&right).map(|&(at, _)| at);
    let (low, high) = (all().fold(f64::MAX, f64::min) - 0.5, all().fold(f64::MIN, f64::max) + 0.5);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(cannot_draw)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(low..high, 0.0..top)
            .map_err(cannot_draw)?;
        chart
            .configure_mesh()
            .x_desc("value")
            .y_desc("tax")
            .x_label_formatter(&|at| format!("{}", if *at == 0.0 { 0.0 } else { -at }))
            .draw()
            .map_err(cannot_draw)?;
        for (wall, colour) in [(left, BLUE), (right, ORANGE)] {
            let mast = wall.last().map(|&(at, _)| (at, top));
            let line = wall.into_iter().chain(mast);
            chart
                .draw_series(LineSeries::new(line, colour.stroke_width(3)))
                .map_err(cannot_draw)?;
        }
        area.present().map_err(cannot_draw)?;
    }
    Ok(svg)
}

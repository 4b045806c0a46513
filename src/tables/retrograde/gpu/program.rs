//! The kernels of a tier, compiled, and how their rows are divided among the threads of a
//! workgroup.
//!
//! A workgroup has [`LANES`] threads and works on several rows at once. The more rows, the more
//! threads have something to do where rows are short; but what lies in the memory of workgroups
//! decides how many of them a processor of the card runs at a time. About 4 kB keep all busy.

use super::adapter::{Gpu, LANES};
use super::constants::Constants;
use super::sizes::Sizes;
use super::solve_tables::SolveTables;
use super::turn_tables::turn_tables;
use super::{GpuError, raw};
use crate::tables::index::{TierShape, Width};

/// Words of a workgroup that leave room for many workgroups beside it.
const FEW_WORDS: usize = 1000;
/// As many for the kernel that orients a lane a row, which gains more than it loses.
const FEW_WORDS_OF_ROWS: usize = 2200;
/// Most rounds of rows in one workgroup that orients: what it prepares serves them all.
const ROUNDS: usize = 8;

/// A kernel and how many rows one of its workgroups makes.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) pipeline: wgpu::ComputePipeline,
    /// Workgroups for one block.
    pub(super) groups: u32,
}

/// What solves the blocks of a tier.
#[derive(Debug)]
pub(super) struct Solve {
    pub(super) copy: Kernel,
    pub(super) orient: Kernel,
    pub(super) arrive: Kernel,
    pub(super) win: Kernel,
    pub(super) tab: wgpu::Buffer,
    pub(super) spreads: wgpu::Buffer,
    /// Of a plane of margins above 0.
    pub(super) spend: Option<Spend>,
}

/// What adds to the wins of a plane above 0 those by spending a spare move.
#[derive(Debug)]
pub(super) struct Spend {
    /// Turns the blocks with the other side to move.
    pub(super) turn: Turn,
    pub(super) add: Kernel,
}

/// What turns the blocks of a tier.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) turn: Kernel,
    pub(super) tab: wgpu::Buffer,
}

/// How the rows of a tier are divided, and what that takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    /// Threads that work on one row.
    lanes_a_row: usize,
    /// Words of a workgroup's memory.
    pub(super) words: usize,
}

impl Division {
    /// Divides rows with so many words each to be made, where `words` says what so many rows at
    /// once take.
    fn new(tasks: usize, most: usize, words: impl Fn(usize) -> usize) -> Self {
        let mut lanes = 1;
        while lanes < 32 && lanes < tasks || lanes < LANES && words(LANES / lanes) > most {
            lanes *= 2;
        }
        Self { lanes_a_row: lanes, words: words(LANES / lanes) }
    }

    fn rows(self) -> usize {
        LANES / self.lanes_a_row
    }

    fn constants(self) -> Constants {
        let mut constants = Constants::default();
        constants.number("LANES", LANES);
        constants.number("LANES_A_ROW", self.lanes_a_row);
        constants.number("ROWS_AT_ONCE", self.rows());
        constants
    }
}

/// The divisions of the kernels that solve and turn, in the order of the steps.
pub(super) fn divisions(shape: &TierShape) -> [Division; 3] {
    let s = Sizes::of(shape);
    let arrive = |rows: usize| rows * (s.free + s.left + (s.left + s.movers) * s.words + 1);
    let win = |rows: usize| rows * (s.free + s.words + 2);
    let turn = |_: usize| 2 * LANES + 32 * (s.words_turned + 1);
    [
        Division::new(s.movers * s.words, FEW_WORDS, arrive),
        Division::new(s.movers * s.words_less, FEW_WORDS, win),
        Division { lanes_a_row: LANES, words: turn(0) },
    ]
}

impl Solve {
    /// Compiles the kernels of a tier with children.
    ///
    /// # Errors
    /// [`GpuError::Failed`].
    pub(super) fn new(gpu: &Gpu, shape: &TierShape) -> Result<Self, GpuError> {
        let sizes = Sizes::of(shape);
        let tables = SolveTables::new(shape);
        let compiler = Compiler { gpu, shape, tables: &tables.tables.constants };
        let [arrive, win, _] = divisions(shape);
        let groups = |rows: usize, at_once: usize| rows.div_ceil(at_once) as u32;
        let copy =
            compiler.kernel("copy", &Constants::default(), &[include_str!("kernels/copy.wgsl")]);
        let by_division = |name, division: Division, source| Kernel {
            pipeline: compiler.kernel(
                name,
                &division.constants(),
                &[include_str!("kernels/bits.wgsl"), source],
            ),
            groups: groups(sizes.rows, division.rows()),
        };
        let solve = Self {
            copy: Kernel {
                pipeline: copy,
                groups: groups(sizes.child_rows * sizes.words_child, 256),
            },
            orient: orient(&compiler, &sizes, &tables),
            arrive: by_division("arrive", arrive, include_str!("kernels/arrive.wgsl")),
            win: by_division("win", win, include_str!("kernels/win.wgsl")),
            tab: gpu.buffer_of(&tables.tables.words),
            spreads: gpu.buffer_of(&tables.spreads),
            spend: shape.spent().map(|spent| spend(&compiler, &sizes, &spent)).transpose()?,
        };
        gpu.check()?;
        Ok(solve)
    }
}

impl Turn {
    /// Compiles the kernel that turns the blocks of a tier.
    ///
    /// # Errors
    /// [`GpuError::Failed`].
    pub(super) fn new(gpu: &Gpu, shape: &TierShape) -> Result<Self, GpuError> {
        let sizes = Sizes::of(shape);
        let tables = turn_tables(shape);
        let compiler = Compiler { gpu, shape, tables: &tables.constants };
        let mut constants = Constants::default();
        constants.number("LANES", LANES);
        let pipeline = compiler.kernel("turn", &constants, &[include_str!("kernels/turn.wgsl")]);
        let turn = Kernel { pipeline, groups: sizes.opponent_words as u32 };
        let turn = Self { turn, tab: gpu.buffer_of(&tables.words) };
        gpu.check()?;
        Ok(turn)
    }
}

/// What spends spare moves, where that leads to a plane of this shape.
fn spend(compiler: &Compiler<'_>, sizes: &Sizes, spent: &TierShape) -> Result<Spend, GpuError> {
    let mut constants = Constants::default();
    constants.expression("LAST", &format!("{}u", sizes.last_word));
    let pipeline = compiler.kernel("spend", &constants, &[include_str!("kernels/spend.wgsl")]);
    let add = Kernel { pipeline, groups: (sizes.rows * sizes.words).div_ceil(256) as u32 };
    Ok(Spend { turn: Turn::new(compiler.gpu, spent)?, add })
}

/// The kernel that orients children: a lane a row where that leaves enough room.
fn orient(compiler: &Compiler<'_>, sizes: &Sizes, tables: &SolveTables) -> Kernel {
    let (places, rank_words) = match tables.rank_words {
        Some(words) => (include_str!("kernels/places_by_table.wgsl"), words),
        None => (include_str!("kernels/places_by_rank.wgsl"), 0),
    };
    let bits = include_str!("kernels/bits.wgsl");
    let band = 32 + 32 * sizes.left_child + 65 * sizes.words_child;
    let most = (LANES / 32).min(sizes.child_rows.div_ceil(32));
    let fit = FEW_WORDS_OF_ROWS.saturating_sub(32 + rank_words) / band;
    if tables.rank_words.is_some() && sizes.opponents > 0 && fit >= most {
        let mut constants = Constants::default();
        constants.number("LANES", 32 * most);
        constants.number("BANDS", most);
        let source = include_str!("kernels/orient_rows.wgsl");
        let source = source.replacen("    LOOPS\n", &loops(sizes.opponents), 1);
        let pipeline = compiler.kernel("orient_rows", &constants, &[bits, places, &source]);
        return Kernel { pipeline, groups: sizes.child_rows.div_ceil(32 * most) as u32 };
    }
    let division = orient_division(compiler.shape, sizes, tables);
    let rounds = sizes.child_rows.div_ceil(division.rows()).min(ROUNDS);
    let mut constants = division.constants();
    constants.number("ROUNDS", rounds);
    let source = include_str!("kernels/orient.wgsl");
    let pipeline = compiler.kernel("orient", &constants, &[bits, places, source]);
    Kernel { pipeline, groups: sizes.child_rows.div_ceil(rounds * division.rows()) as u32 }
}

/// How the rows of a child are divided where it is oriented bit by bit.
pub(super) fn orient_division(shape: &TierShape, sizes: &Sizes, tables: &SolveTables) -> Division {
    let image = match (tables.rank_words, shape.width()) {
        (None, Width::Wide) => 2,
        _ => 1,
    };
    let words = |rows: usize| {
        sizes.free
            + tables.rank_words.unwrap_or(0)
            + image * (rows * (sizes.left_child + tables.pairs) + 1)
            + rows * sizes.words_child
    };
    Division::new(sizes.words_child.max(8), FEW_WORDS + tables.rank_words.unwrap_or(0), words)
}

/// Loops over the sets of a size in colex order, as WGSL: the largest number outermost.
fn loops(size: usize) -> String {
    let mut text = String::new();
    for level in (0..size).rev() {
        let (most, outer) = match level + 1 {
            all if all == size => ("LEFT_CHILD".to_string(), "all".to_string()),
            outer => (format!("s{outer}"), format!("x{outer}")),
        };
        text += &format!(
            "for (var s{level} = {level}u; s{level} < {most}; s{level}++) {{\n\
             let x{level} = joined({outer}, part_of_square[parts + s{level} * 32u]);\n"
        );
    }
    text += "let at = place(x0);\n\
             bits |= ((source[from_ + (at & ~31u)] >> (at & 31u)) & 1u) << k;\n\
             k += 1u;\n\
             if (k == 32u) { made[to] = bits; to += 33u; k = 0u; bits = 0u; }\n";
    text + &"}\n".repeat(size)
}

/// Puts sources together and compiles them.
struct Compiler<'a> {
    gpu: &'a Gpu,
    shape: &'a TierShape,
    tables: &'a Constants,
}

impl Compiler<'_> {
    fn kernel(&self, name: &str, constants: &Constants, parts: &[&str]) -> wgpu::ComputePipeline {
        let squares = match self.shape.width() {
            Width::Narrow => include_str!("kernels/narrow.wgsl"),
            Width::Wide => include_str!("kernels/wide.wgsl"),
        };
        let lists = include_str!("kernels/lists.wgsl");
        let mut source = [self.tables.text(), constants.text(), lists, squares].concat();
        source.extend(parts.iter().copied());
        let module = raw::unchecked_module(&self.gpu.device, source);
        self.gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module: &module,
            entry_point: Some(name),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[],
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    }
}

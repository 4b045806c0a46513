/** Exact solutions of small boards of the Game of the Amazons. Positions are FEN, moves are text
 * such as `b1-b3/d3`. `docs/serve.md` of the project says what each answer has. */

export type Value = "win" | "unknown" | "loss";
export type Side = "white" | "black";

/** What a value rests on. */
export type Basis =
  | { kind: "rules" | "bounds" | "proof" }
  | { kind: "conditional"; sources: string[] }
  | { kind: "opening"; name: string; moves: number }
  | { kind: "table" | "certificate"; name: string }
  | { kind: "elsewhere"; certificate: string; sha256: string };

/** A move, seen by its maker. */
export interface MoveReport {
  move: string;
  value: Value;
  /** How many moves there are then. */
  replies: number;
  /** The position after it, by other rules than those of Amazons. */
  position?: string;
}

/** What is known of a position. */
export interface PositionReport {
  position: string;
  rules?: string;
  board: string;
  amazons: string;
  side_to_move: Side;
  value: Value;
  winner: Side | null;
  source: Basis | null;
  /** Whether a search can add something. */
  search: boolean;
  wins: number;
  losses: number;
  /** All moves, best first. */
  moves: MoveReport[];
}

/** Between what a threshold of spare moves lies. */
export interface Margin {
  /** The least number of spare moves with which the side to move, or a move's maker, wins. */
  threshold: number | null;
  /** By how many is won or lost. */
  margin: number | null;
  /** The least and the greatest threshold that are possible. */
  thresholds: [number, number];
}

/** By how much a position is won, and each of its moves. */
export interface MarginsReport extends Margin {
  position: string;
  side_to_move: Side;
  winner: Side | null;
  complete: boolean;
  /** All moves, best first. */
  moves: ({ move: string; value: Value } & Margin)[];
}

/** A move of a line and the position it leads to. */
export interface Step {
  move: string;
  position: string;
}

/** What the engine thinks. */
export interface Thought {
  move: string | null;
  /** A lead of the side to move in squares; `null` if the end is proved. */
  lead: number | null;
  proved: Value | null;
  source: "only" | "known" | "filling" | "proof" | "search";
  line: string[];
  depth: number;
  nodes: number;
  seconds: number;
}

export interface SolvedBoard {
  board: string;
  amazons: string;
  position: string;
  value: Value;
  winner: Side | null;
  wins: number;
  losses: number;
  moves: number;
  source: Basis | null;
}

/** How a search ended. */
export interface SearchResult {
  value: Value;
  winner: Side | null;
  best_move: string | null;
  moves_known: number;
  moves: number;
  nodes: number;
  seconds: number;
}

/** News of a search: `progress`, `value`, `moves`, `done`, `failed`. */
export interface SearchEvent {
  event: string;
  data: unknown;
}

/** Rules of another game of the family, and moves to play first. */
export interface Options {
  moves?: string[];
  rules?: string;
  turns?: string;
}

export type Level = "beginner" | "easy" | "medium" | "hard" | "best" | "analysis";

/** A question that has no answer. */
export class AmazonsError extends Error {
  /** As in HTTP. */
  status: number;
  /** A word for programs, such as `bad_fen`. */
  code: string;
}

/** The library. Its methods throw an `AmazonsError`. */
export class Amazons {
  private constructor();
  start(board: string, options?: { amazons?: string; rules?: string }): string;
  position(position: string, options?: Options): PositionReport;
  line(position: string, moves: string[], options?: Options): { start: string; moves: Step[]; position: string };
  mainLine(position: string, options?: Options): { moves: unknown[]; ended: "over" | "unknown" | "long" };
  /** By how much a position is won, and each of its moves: what is known, and what a search of a second adds, or of so
   * many seconds from 0 to 1. */
  margins(position: string, options?: Options & { seconds?: number }): MarginsReport;
  engine(position: string, options?: Options & { level?: Level }): Thought;
  boards(): SolvedBoard[];
  readGames(text: string): { start: string; moves: Step[]; position: string; games: string[]; remarks: string[] };
  writeGame(position: string, moves: string[]): string;
  search(
    position: string,
    options?: Options & { seconds?: number; moves_valued?: "all" | "best"; tell?: (event: SearchEvent) => void },
  ): SearchResult;
}

/** Loads the library with what it knows of solved boards, once for each `Amazons`. */
export function load(): Promise<Amazons>;

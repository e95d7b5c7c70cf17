/** What a run printed, and its exit status: 0, 1, 2, 3 or 70, as `ptxlit --help` lists them. */
export interface Answer {
  out: string;
  err: string;
  status: number;
}

export interface RunOptions {
  /** Files that the command line names, by path. The models that ship are there already. */
  files?: Record<string, string>;
  stdin?: string;
}

export interface AskOptions {
  /** Options of the command line, such as "--model=ptx,sc". */
  options?: string[];
  /** Files that the test names, by path. */
  files?: Record<string, string>;
}

/** One object of `ptxlit check --format json`; docs/json.md describes every member. */
export interface Result {
  format: number;
  test: string;
  model: string;
  verdict: "allowed" | "forbidden" | "undefined" | "unknown" | "safe" | "unsafe";
  observation: "Never" | "Sometimes" | "Always" | null;
  condition: string;
  holds: boolean | null;
  outcomes: { state: Record<string, number | string>; satisfies: boolean }[] | null;
  reason: { id: string; text: string; file?: string; line?: number; column?: number } | null;
  [member: string]: unknown;
}

/** Runs a command line of the tool. */
export function run(args: string[], options?: RunOptions): Promise<Answer>;
/** Asks a verb about the text of a test. Rejects with the tool's messages when the test is wrong. */
export function ask(verb: string, test: string, options?: AskOptions): Promise<Record<string, unknown>[]>;
/** The verdict and the outcomes, under each model. */
export function check(test: string, options?: AskOptions): Promise<Result[]>;
export function explain(test: string, options?: AskOptions): Promise<Record<string, unknown>[]>;
export function fix(test: string, options?: AskOptions): Promise<Record<string, unknown>[]>;

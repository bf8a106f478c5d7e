/** Where the lines of a log end up. One call at a time. */
export interface LineFile {
  /** All or, when it rejects, perhaps some of them; a torn line is never joined to a later one. */
  write(lines: readonly Buffer[]): Promise<void>;
  /** Nothing is written after it. */
  close(): Promise<void>;
}

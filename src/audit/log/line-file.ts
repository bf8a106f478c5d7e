/** The destination of the lines of a log. Calls must not overlap. */
export interface LineFile {
  /** May have written some of the lines when it rejects. A partial line is never joined with a later one. */
  write(lines: readonly Buffer[]): Promise<void>;
  /** No writes may follow. */
  close(): Promise<void>;
}

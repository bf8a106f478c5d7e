/** Receives the log messages of a server. */
export interface Logger {
  /** Absent when such messages are not wanted. */
  debug?(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  /** Resolves when all messages so far are written. */
  flush(): Promise<void>;
}

export const silentLogger: Logger = { info: () => {}, error: () => {}, flush: () => Promise.resolve() };

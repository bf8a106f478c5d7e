/** Receives what a server reports about itself. */
export interface Logger {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  /** Resolves when all messages so far are written. */
  flush(): Promise<void>;
}

export const silentLogger: Logger = { info: () => {}, error: () => {}, flush: () => Promise.resolve() };

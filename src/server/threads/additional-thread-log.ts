import type { Logger } from '../../meta/logger.ts';
import type { LoggedMessage } from './thread-protocol.ts';

/** Sends messages, with the index of this thread, to the thread that writes the log. */
export function additionalThreadLog(
  { index, logsDebug }: { readonly index: number; readonly logsDebug: boolean },
  send: (message: LoggedMessage) => void,
): Logger {
  const log =
    (level: LoggedMessage['level']) =>
    (message: string, fields: object = {}): void =>
      send({ level, message, fields: { thread: index, ...plain(fields) } });
  return {
    ...(logsDebug && { debug: log('debug') }),
    info: log('info'),
    error: log('error'),
    flush: () => Promise.resolve(),
  };
}

/** Converts values that cannot be sent to another thread to text. Errors stay errors. */
function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      try {
        return [name, structuredClone(value)];
      } catch {
        return [name, String(value)];
      }
    }),
  );
}

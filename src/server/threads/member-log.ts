import type { Logger } from '../../meta/logger.ts';
import type { LoggedMessage } from './thread-protocol.ts';

/** Sends messages to the thread that writes them, with the number of this one. */
export function memberLog(
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

/** Errors stay errors. What cannot be sent to another thread becomes text. */
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

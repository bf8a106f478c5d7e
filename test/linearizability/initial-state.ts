import type { ApiObject } from '../exactness/api-object.ts';
import { type Connection, textOf } from '../exactness/connection.ts';
import { readEvents } from '../exactness/event-stream.ts';
import { Progress } from '../exactness/progress.ts';
import { refusal, Violation } from '../exactness/violation.ts';

export interface InitialState {
  readonly version: number;
  readonly items: readonly ApiObject[];
}

/** Reads the latest state with a watch, which reports when the state is complete. */
export async function readInitialState(
  connection: Connection,
  collection: string,
  signal: AbortSignal,
): Promise<InitialState> {
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const response = await connection.send(`${collection}?${query}`, { method: 'GET' }, signal);
  if (response.status !== 200) throw refusal('a watch', response.status, await textOf(response));
  const items: ApiObject[] = [];
  const plan = { cutAfter: undefined, rest: undefined };
  for await (const { type, object } of readEvents(response, plan, new Progress())) {
    if (type === 'ADDED') {
      items.push(object);
    } else if (type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') {
      return { version: Number(object.metadata.resourceVersion), items };
    } else if (type === 'ERROR') {
      const { code, message } = object as unknown as { code?: number; message?: string };
      throw refusal('a watch', code, message);
    } else {
      throw new Violation(`${type} came before the end of the initial state`);
    }
  }
  throw new Error('the watch ended before the end of the initial state');
}

import type { WatchEvent } from './api-object.ts';
import type { OpenResponse } from './connection.ts';
import type { Progress } from './progress.ts';

/** The interruptions of a stream by its client. They are counted in bytes, so that frames are cut at any position. */
export interface StreamPlan {
  readonly cutAfter: number | undefined;
  readonly rest: { readonly after: number; readonly writes: number } | undefined;
}

export type StreamEnd = 'ended' | 'cut';

/** Yields the events of a watch until the stream ends. An incomplete frame at the end is dropped, as clients do. */
export async function* readEvents(
  response: OpenResponse,
  { cutAfter = Number.POSITIVE_INFINITY, rest }: StreamPlan,
  progress: Progress,
): AsyncGenerator<WatchEvent, StreamEnd> {
  const decoder = new TextDecoder();
  let taken = 0;
  let text = '';
  let rested = rest === undefined;
  try {
    for await (const chunk of response.body) {
      const kept = (chunk as Buffer).subarray(0, cutAfter - taken);
      taken += kept.length;
      const lines = (text + decoder.decode(kept, { stream: true })).split('\n');
      text = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as WatchEvent;
      if (taken >= cutAfter) return 'cut';
      if (rested || taken < rest!.after) continue;
      rested = true;
      // The client does not read in the meantime, so the server has to buffer the events.
      await progress.pass(rest!.writes);
    }
    return 'ended';
  } catch (error) {
    // When a stream breaks, the client continues from its last version. Invalid JSON is a fault of the server.
    if (error instanceof SyntaxError) throw error;
    return 'ended';
  } finally {
    response.cut();
  }
}

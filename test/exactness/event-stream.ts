import type { WatchEvent } from './api-object.ts';
import type { OpenResponse } from './connection.ts';
import type { Progress } from './progress.ts';

/** What a client does to its stream. Bytes, so that frames are cut anywhere. */
export interface StreamPlan {
  readonly cutAfter: number | undefined;
  readonly rest: { readonly after: number; readonly writes: number } | undefined;
}

export type StreamEnd = 'ended' | 'cut';

/** The events of a watch. Returns when the stream is over; half a frame at its end is dropped, as a client would. */
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
      // Nobody reads meanwhile, so the server has to keep what it cannot send.
      await progress.pass(rest!.writes);
    }
    return 'ended';
  } catch (error) {
    // Whatever breaks a stream, the client goes on from where it was; what is not JSON is a fault.
    if (error instanceof SyntaxError) throw error;
    return 'ended';
  } finally {
    response.cut();
  }
}

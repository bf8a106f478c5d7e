import type { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';

export type ProfileKind = 'profile' | 'heap';

/** Profiles this process for a time, or until the signal aborts. The result is a JSON document. */
export async function takeProfile(kind: ProfileKind, ms: number, signal: AbortSignal): Promise<string> {
  // Loaded on demand, so that the server starts faster.
  const inspector = await import('node:inspector/promises');
  const session = new inspector.Session();
  session.connect();
  try {
    const { profile } = kind === 'profile' ? await processorTime(session, ms, signal) : await heap(session, ms, signal);
    return JSON.stringify(profile);
  } finally {
    session.disconnect();
  }
}

async function processorTime(session: Session, ms: number, signal: AbortSignal): Promise<{ profile: object }> {
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await pause(ms, undefined, { signal });
  return session.post('Profiler.stop');
}

/** Samples memory that is allocated during the profile and still in use at its end. */
async function heap(session: Session, ms: number, signal: AbortSignal): Promise<{ profile: object }> {
  await session.post('HeapProfiler.startSampling', { samplingInterval: 32 * 1024 });
  await pause(ms, undefined, { signal });
  return session.post('HeapProfiler.stopSampling');
}

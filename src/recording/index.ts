/**
 * Records requests and responses and replays them against another server. `startRecorder` is a proxy that writes a file
 * of JSON lines without secrets (`recording.ts` has its format). `replay` sends the requests of such a file in the
 * recorded order and compares the responses.
 */
export { type RecorderOptions, startRecorder } from './recorder.ts';
export { type ReplayReport, replay } from './replay.ts';

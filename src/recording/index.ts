/**
 * Records what clients and a server say to each other, and plays it to another server. `startRecorder` is a proxy that
 * writes a file of JSON lines without secrets (`recording.ts` has its format). `replay` sends the requests of such a
 * file again, in the recorded order, and compares the answers.
 */
export { type RecorderOptions, startRecorder } from './recorder.ts';
export { type ReplayReport, replay } from './replay.ts';

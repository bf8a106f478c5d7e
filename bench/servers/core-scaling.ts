import { Worker } from 'node:worker_threads';

/** Works like a server without a network: makes and reads JSON, and allocates. Posts the number of iterations. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const object = { metadata: { name: 'a', labels: { app: 'web', tier: 'front' } }, data: { text: 'x'.repeat(1000) } };
const run = (milliseconds) => {
  const end = performance.now() + milliseconds;
  let count = 0;
  for (; performance.now() < end; count += 1) JSON.parse(JSON.stringify(object));
  return count;
};
run(workerData.warmUpMs);
parentPort.postMessage(run(workerData.milliseconds));
`;

/**
 * The work that two threads complete relative to one, without any server. It is the upper limit for the gain from a
 * second thread on this machine. Two processors of a virtual machine are often the two hardware threads of one core,
 * and other virtual machines use part of it.
 */
export async function coreScaling(milliseconds: number): Promise<number> {
  const alone = await compute(milliseconds);
  const together = await Promise.all([compute(milliseconds), compute(milliseconds)]);
  const again = await compute(milliseconds);
  return (together[0] + together[1]) / ((alone + again) / 2);
}

function compute(milliseconds: number): Promise<number> {
  const worker = new Worker(script, { eval: true, workerData: { milliseconds, warmUpMs: milliseconds / 4 } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

import type { Worker } from 'node:worker_threads';

// Loaded into a process under test. SIGUSR2 terminates the thread whose name is in END_THREAD.

const workers = new Map<string, Worker>();
process.on('worker', (worker) => workers.set(worker.threadName ?? '', worker));
process.on('SIGUSR2', () => void workers.get(process.env.END_THREAD ?? '')?.terminate());

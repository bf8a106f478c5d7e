import { logUncaughtErrors } from '../../src/cli/log-uncaught-errors.ts';

// Causes every kind of uncaught error. Prints the logged messages, and that the process is still running.

logUncaughtErrors({ error: (message, fields) => console.log(`${message}: ${fields?.err}`) });

setTimeout(() => {
  throw new Error('in a timer');
}, 0);
void Promise.reject(new Error('in a promise'));
const stop = new AbortController();
stop.signal.addEventListener('abort', () => {
  throw new Error('in a listener');
});
stop.abort();
queueMicrotask(() => {
  throw new Error('in a microtask');
});
setTimeout(() => console.log('alive'), 50);

/** Resolves with the first SIGTERM or SIGINT. A second signal exits at once, without draining. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}

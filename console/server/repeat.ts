const period = 2000;

/** Runs an action repeatedly while the page is visible. The next run starts only after the previous one has ended. */
export function repeat(act: () => Promise<unknown>, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout>;
  const loop = async () => {
    if (!document.hidden) await act();
    if (!signal.aborted) timer = setTimeout(loop, period);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  void loop();
}

const period = 2000;

/** Acts again and again while the page is seen. The next time waits for the one before it, however long that takes. */
export function repeat(act: () => Promise<unknown>, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout>;
  const loop = async () => {
    if (!document.hidden) await act();
    if (!signal.aborted) timer = setTimeout(loop, period);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  void loop();
}

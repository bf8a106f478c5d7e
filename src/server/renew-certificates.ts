export interface RenewCertificatesOptions {
  /** Renews certificates that are about to expire. */
  readonly renew: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

/** Twice a day: certificates are renewed 30 days before they expire. */
const defaultIntervalMs = 12 * 60 * 60 * 1000;

/** Renews certificates periodically until the signal aborts. Runs do not overlap. */
export function renewCertificates(options: RenewCertificatesOptions): void {
  const { renew, onError, signal, intervalMs = defaultIntervalMs } = options;
  const run = async (): Promise<void> => {
    if (signal.aborted) return;
    await renew().catch(onError);
    schedule();
  };
  const schedule = (): void => {
    if (!signal.aborted) timer = setTimeout(() => void run(), intervalMs).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  schedule();
}

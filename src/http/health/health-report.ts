import { goQuote } from '../../meta/go-quote.ts';
import type { HealthCheck, HealthEndpoint } from './health-check.ts';

/** The result of one check. */
export interface CheckOutcome {
  readonly check: HealthCheck;
  /** Absent for a check that passed or was excluded. */
  readonly failure?: string;
  /** The excluded name: that of the check or of its group. */
  readonly excludedBy?: string;
}

export interface HealthReport {
  readonly healthy: boolean;
  /** The public listing, without the reasons of failures. */
  readonly text: string;
  /** The messages for the server's log. */
  readonly failures: readonly string[];
}

export interface ReportOptions {
  readonly endpoint: HealthEndpoint;
  readonly outcomes: readonly CheckOutcome[];
  /** The excluded names that match no check, sorted. */
  readonly unknownExcludes: readonly string[];
  /** The endpoint that the last line of a healthy listing names. */
  readonly passed: HealthEndpoint;
}

export function reportOf({ endpoint, outcomes, unknownExcludes, passed }: ReportOptions): HealthReport {
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  const healthy = failed.length === 0;
  const lines = outcomes.map(lineOf);
  if (unknownExcludes.length > 0) {
    const quoted = unknownExcludes.map(goQuote).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted}`);
  }
  lines.push(healthy ? `${passed} check passed` : `${endpoint} check failed`);
  return {
    healthy,
    text: `${lines.join('\n')}\n`,
    failures: failed.map(({ check, failure }) => `${check.name}: ${failure}`),
  };
}

function lineOf({ check, failure, excludedBy }: CheckOutcome): string {
  if (failure !== undefined) return `[-]${check.name} failed: reason withheld`;
  const note = check.note?.();
  if (excludedBy === undefined) return `[+]${check.name} ok${note === undefined ? '' : `: ${note}`}`;
  return excludedBy === check.name
    ? `[+]${check.name} excluded: ok`
    : `[+]${check.name} excluded with ${excludedBy}: ok`;
}

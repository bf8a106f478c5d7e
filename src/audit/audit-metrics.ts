import type { Counter, Family, Meter } from '../meta/meter.ts';
import type { AuditEvent, AuditSink } from './audit-event.ts';

/** Reports what is audited, under the names of kube-apiserver. */
export class AuditMetrics {
  readonly #levels: Family<Counter>;
  readonly #events: Counter;
  readonly #rejected: Counter;
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
    this.#levels = meter.counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests by the level at which the audit policy records them.',
      labels: ['level'],
    });
    this.#events = meter
      .counter({ name: 'apiserver_audit_event_total', help: 'Audit events that were made.', labels: [] })
      .of();
    this.#rejected = meter
      .counter({
        name: 'apiserver_audit_requests_rejected_total',
        help: 'Requests that were rejected because they could not be audited.',
        labels: [],
      })
      .of();
  }

  decided(level: string): void {
    this.#levels.of(level).add();
  }

  rejected(): void {
    this.#rejected.add();
  }

  /** Returns a sink that counts the events and losses of the given one. */
  counted(sink: AuditSink & { readonly lost: number }, plugin: string): AuditSink {
    const errors = this.#meter
      .counter({ name: 'apiserver_audit_error_total', help: 'Audit events that were lost.', labels: ['plugin'] })
      .of(plugin);
    let known = 0;
    this.#meter.beforeReading(() => {
      errors.add(sink.lost - known);
      known = sink.lost;
    });
    return {
      write: (event: AuditEvent) => {
        this.#events.add();
        return sink.write(event);
      },
    };
  }
}

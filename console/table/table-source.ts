import { signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { type FollowState, follow, type WatchEvent } from '../api/follow.ts';
import { type ApiTable, rowOf, TableModel } from './table-model.ts';

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
/** More rows than fit on a screen. The rest follows in larger pages. */
const firstPage = 100;
/** A user cannot read more rows on a page. Filters find the rest. */
export const maxRows = 200_000;

export interface TableSourceOptions {
  readonly path: string;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly isWatchable: boolean;
}

/** Follows a collection as a table. Changes that arrive between two frames are applied together. */
export class TableSource {
  readonly model = new TableModel();
  /** Incremented when the model changes. */
  readonly changes = signal(0);
  readonly state = signal<FollowState>('listing');
  readonly error = signal<ApiError | undefined>(undefined);
  readonly isComplete = signal(false);
  /** The last event of each object. Keeping only the last one prevents a hidden page from accumulating events. */
  #pending = new Map<string, WatchEvent<ApiTable>>();
  #columns: ApiTable['columnDefinitions'] = undefined;
  #isScheduled = false;

  run(options: TableSourceOptions, stop: AbortSignal): void {
    const { path, labelSelector, fieldSelector, isWatchable } = options;
    const query = { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
    const follower = {
      listing: () => {
        this.#flush();
        this.model.listing();
      },
      page: (page: ApiTable) => {
        this.#flush();
        this.model.page(page);
        this.changes.value++;
      },
      listed: () => {
        this.#flush();
        this.model.listed();
        this.isComplete.value = true;
        this.changes.value++;
      },
      events: (events: readonly WatchEvent<ApiTable>[]) => this.#take(events),
      state: (state: FollowState, error?: ApiError) => {
        this.state.value = state;
        this.error.value = error;
      },
    };
    void follow<ApiTable & { rows?: readonly never[] }, ApiTable>(
      { path, accept, query, pageSize: firstPage, maxObjects: maxRows, isWatchable },
      follower,
      stop,
    );
  }

  #take(events: readonly WatchEvent<ApiTable>[]): void {
    for (const event of events) {
      if (event.object.columnDefinitions) this.#columns = event.object.columnDefinitions;
      for (const row of event.object.rows ?? []) {
        const { key } = rowOf(row);
        // The order of events of different objects does not matter to a table.
        this.#pending.set(key, { type: event.type, object: { rows: [row] } });
      }
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Hidden pages have no frames.
    if (document.hidden) setTimeout(() => this.#flush(), 1000);
    else requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#pending.size === 0) return;
    const events = [...this.#pending.values()];
    this.#pending = new Map();
    if (this.#columns) this.model.apply([{ type: 'MODIFIED', object: { columnDefinitions: this.#columns } }]);
    this.#columns = undefined;
    this.model.apply(events);
    this.changes.value++;
  }
}

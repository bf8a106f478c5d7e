import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import type { AdmissionMetrics, AdmissionPhase, PhaseDurations } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRule, Mutated, MutationPass } from './admission-plugin.ts';
import type { AdmissionOperation, AdmissionRequest, AdmissionTarget } from './admission-request.ts';
import { explainMutation, explainValidation } from './explanation.ts';
import type { FollowOptions, ObjectSource } from './object-source.ts';

interface ApplicablePlugin {
  readonly plugin: AdmissionPlugin;
  /** Undefined without metrics. */
  readonly durations: PhaseDurations | undefined;
}

interface Phase {
  readonly plugins: readonly ApplicablePlugin[];
  /** Undefined without metrics. */
  readonly durations: PhaseDurations | undefined;
}

interface ApplicablePlugins {
  readonly mutating: Phase;
  readonly validating: Phase;
  /** Whether any of them applies to all such requests. */
  readonly isCertain: boolean;
}

/** The admission plugins in order. A request that concerns no plugin costs one lookup. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #objects: ObjectReader;
  readonly #metrics: AdmissionMetrics | undefined;
  /** The applicable plugins by operation and endpoint, filled on first use. */
  readonly #applicable = {
    CREATE: new WeakMap<AdmissionTarget, ApplicablePlugins>(),
    UPDATE: new WeakMap<AdmissionTarget, ApplicablePlugins>(),
    DELETE: new WeakMap<AdmissionTarget, ApplicablePlugins>(),
    CONNECT: new WeakMap<AdmissionTarget, ApplicablePlugins>(),
  } as const;

  constructor(plugins: readonly AdmissionPlugin[], objects: ObjectReader, metrics?: AdmissionMetrics) {
    this.#plugins = plugins;
    this.#objects = objects;
    this.#metrics = metrics;
  }

  /** Follows the objects that configure plugins. Resolves when the existing ones are loaded. */
  async follow(objects: ObjectSource, options: FollowOptions): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.follow?.(objects, options)));
  }

  /** Whether any plugin applies to such requests at present. */
  concerns(operation: AdmissionOperation, target: AdmissionTarget): boolean {
    const { mutating, validating, isCertain } = this.#pluginsFor(operation, target);
    if (isCertain) return true;
    const handles = ({ plugin }: ApplicablePlugin): boolean => plugin.handles!(operation, target);
    return mutating.plugins.some(handles) || validating.plugins.some(handles);
  }

  /** Returns the object to continue with: that of the request, unless a plugin has replaced it. */
  mutate(request: AdmissionRequest): MaybePromise<ResourceObject> {
    const { plugins, durations } = this.#pluginsFor(request.operation, request.target).mutating;
    if (plugins.length === 0) return request.object;
    return measured(durations, () => {
      const pass = new Pass();
      return mapMaybe(this.#mutate(plugins, request, pass), (object) => {
        if (!pass.isRequested) return object;
        const again = object === request.object ? request : { ...request, object };
        return this.#mutate(plugins, again, new Pass(pass.memory));
      });
    });
  }

  validate(request: AdmissionRequest): MaybePromise<void> {
    const { plugins, durations } = this.#pluginsFor(request.operation, request.target).validating;
    if (plugins.length === 0) return undefined;
    return measured(durations, () => this.#validate(plugins, request));
  }

  /** Runs both phases, for requests without work in between, such as a deletion. */
  admit(request: AdmissionRequest): MaybePromise<void> {
    return mapMaybe(this.mutate(request), () => this.validate(request));
  }

  #pluginsFor(operation: AdmissionOperation, target: AdmissionTarget): ApplicablePlugins {
    const known = this.#applicable[operation].get(target);
    if (known !== undefined) return known;
    const {
      resource: { group, resource },
      subresource,
    } = target;
    const path = subresource === '' ? `${group}/${resource}` : `${group}/${resource}/${subresource}`;
    const patterns = [path, ...(subresource === '' ? ['*'] : []), '*/*'];
    const matches = ({ operations, resources }: AdmissionRule): boolean =>
      operations.includes(operation) && patterns.some((pattern) => resources.includes(pattern));
    const plugins = this.#plugins.filter(({ rules }) => rules.some(matches));
    const metrics = this.#metrics;
    const phase = (name: AdmissionPhase, applicable: readonly AdmissionPlugin[]): Phase => ({
      plugins: applicable.map((plugin) => ({ plugin, durations: metrics?.durations(name, operation, plugin) })),
      durations: metrics?.durations(name, operation),
    });
    const found = {
      mutating: phase(
        'admit',
        plugins.filter(({ mutate }) => mutate !== undefined),
      ),
      validating: phase(
        'validate',
        plugins.filter(({ validate }) => validate !== undefined),
      ),
      isCertain: plugins.some(({ handles }) => handles === undefined),
    };
    this.#applicable[operation].set(target, found);
    return found;
  }

  #mutate(
    plugins: readonly ApplicablePlugin[],
    request: AdmissionRequest,
    pass: MutationPass,
    first = 0,
  ): MaybePromise<ResourceObject> {
    let current = request;
    for (let index = first; index < plugins.length; index++) {
      const { plugin, durations } = plugins[index]!;
      if (plugin.handles?.(current.operation, current.target) === false) continue;
      const input = current;
      const result = measured(durations, () =>
        input.explain === undefined
          ? plugin.mutate!(input, this.#objects, pass)
          : explainMutation(plugin, input, (request) => plugin.mutate!(request, this.#objects, pass)),
      );
      if (result instanceof Promise) {
        return result.then((object) => this.#mutate(plugins, withObject(input, object), pass, index + 1));
      }
      current = withObject(current, result);
    }
    return current.object;
  }

  #validate(plugins: readonly ApplicablePlugin[], request: AdmissionRequest, first = 0): MaybePromise<void> {
    for (let index = first; index < plugins.length; index++) {
      const { plugin, durations } = plugins[index]!;
      if (plugin.handles?.(request.operation, request.target) === false) continue;
      const result = measured(durations, () =>
        request.explain === undefined
          ? plugin.validate!(request, this.#objects)
          : explainValidation(plugin, request, () => plugin.validate!(request, this.#objects)),
      );
      if (result instanceof Promise) return result.then(() => this.#validate(plugins, request, index + 1));
    }
  }
}

function measured<T>(durations: PhaseDurations | undefined, run: () => MaybePromise<T>): MaybePromise<T> {
  if (durations === undefined) return run();
  const startedAt = performance.now();
  let result: MaybePromise<T>;
  try {
    result = run();
  } catch (error) {
    durations.rejectedAfter(performance.now() - startedAt);
    throw error;
  }
  if (!(result instanceof Promise)) {
    durations.admittedAfter(performance.now() - startedAt);
    return result;
  }
  result.then(
    () => durations.admittedAfter(performance.now() - startedAt),
    () => durations.rejectedAfter(performance.now() - startedAt),
  );
  return result;
}

function withObject(request: AdmissionRequest, object: Mutated): AdmissionRequest {
  return object === undefined || object === request.object ? request : { ...request, object };
}

class Pass implements MutationPass {
  readonly isReinvocation: boolean;
  readonly memory: Map<string, unknown>;
  isRequested = false;

  /** `memory` is that of the first run. */
  constructor(memory?: Map<string, unknown>) {
    this.isReinvocation = memory !== undefined;
    this.memory = memory ?? new Map();
  }

  reinvoke(): void {
    this.isRequested = !this.isReinvocation;
  }
}

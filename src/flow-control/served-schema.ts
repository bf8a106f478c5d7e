import type { UserInfo } from '../meta/user.ts';
import type { FlowSchema } from '../resources/flowcontrol/flow-schema-types.ts';
import type { SchemaSeries } from './flow-meter.ts';
import type { PriorityLevel } from './levels/priority-level.ts';
import type { RequestTraits } from './matching/classifier.ts';
import { namespaceOf } from './matching/rule-matches.ts';
import { nameOf } from './objects/flow-objects.ts';
import type { RequestFlow } from './queues/fair-request.ts';
import { Flow } from './queues/flow.ts';

const schemaHeader = 'x-kubernetes-pf-flowschema-uid';
const levelHeader = 'x-kubernetes-pf-prioritylevel-uid';
/** Users and namespaces change, so the cache is cleared when it exceeds this size. */
const maxFlows = 4096;

/** A flow schema whose priority level exists, and its flows. */
export class ServedSchema {
  readonly object: FlowSchema;
  readonly name: string;
  readonly uid: string;
  readonly level: PriorityLevel;
  readonly series: SchemaSeries;
  /** The headers of every response. Rebuilt when the object of the level exists. */
  #headers: Readonly<Record<string, string>> = {};
  #levelUid: string | undefined;
  readonly #method: string | undefined;
  readonly #flows = new Map<string, RequestFlow>();

  constructor(object: FlowSchema, level: PriorityLevel, series: SchemaSeries) {
    this.object = object;
    this.name = nameOf(object);
    this.uid = object.metadata.uid ?? '';
    this.level = level;
    this.series = series;
    this.#method = object.spec?.distinguisherMethod?.type;
  }

  get headers(): Readonly<Record<string, string>> {
    const { uid } = this.level;
    if (uid === this.#levelUid) return this.#headers;
    this.#levelUid = uid;
    this.#headers = { ...(this.uid !== '' && { [schemaHeader]: this.uid }), ...(uid !== '' && { [levelHeader]: uid }) };
    return this.#headers;
  }

  flowOf(user: UserInfo, { target }: RequestTraits): RequestFlow {
    const distinguisher = this.#distinguisher(user, target);
    const known = this.#flows.get(distinguisher);
    if (known !== undefined) return known;
    if (this.#flows.size === maxFlows) this.#flows.clear();
    const flow: RequestFlow = new Flow(this.name, distinguisher);
    this.#flows.set(distinguisher, flow);
    return flow;
  }

  #distinguisher({ name }: UserInfo, target: RequestTraits['target']): string {
    if (this.#method === 'ByUser') return name;
    return this.#method === 'ByNamespace' && target !== undefined ? namespaceOf(target) : '';
  }
}

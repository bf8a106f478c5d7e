import type { ApiObject, ObjectMeta } from '../api/api-object.ts';
import { type ResourceType, typeKey } from '../api/resource-type.ts';
import { isObject } from '../document/path.ts';
import { formatDuration } from '../shared/age.ts';
import { now } from '../shared/now.ts';
import { SafeLink } from '../shared/safe-link.tsx';
import { toneOf } from '../shared/tone.ts';
import { ValueTree } from '../shared/value-tree.tsx';
import { typeOfKind } from '../state/catalog.ts';
import { routes } from '../state/routes.ts';

export function Overview({ object, type }: { object: ApiObject; type: ResourceType }) {
  const { metadata, apiVersion: _, kind: __, status, ...rest } = object;
  const conditions = conditionsOf(status);
  const shownStatus = isObject(status)
    ? Object.fromEntries(Object.entries(status).filter(([name]) => name !== 'conditions'))
    : status;
  const hasStatus = isObject(shownStatus) ? Object.keys(shownStatus).length > 0 : shownStatus !== undefined;
  return (
    <div class="overview">
      {metadata.deletionTimestamp && <DeletionCard object={object} />}
      <section class="card">
        <h2>Metadata</h2>
        <dl class="facts">
          <Fact name="Type">{typeKey(type)}</Fact>
          {metadata.creationTimestamp && (
            <Fact name="Created">
              <time dateTime={metadata.creationTimestamp}>{metadata.creationTimestamp}</time>{' '}
              <span class="muted">{formatDuration(now.value - Date.parse(metadata.creationTimestamp))} ago</span>
            </Fact>
          )}
          <Fact name="UID">
            <code>{metadata.uid}</code>
          </Fact>
          <Fact name="Version">
            {metadata.resourceVersion}
            {metadata.generation !== undefined && <span class="muted"> generation {metadata.generation}</span>}
          </Fact>
          {metadata.ownerReferences && (
            <Fact name="Owners">
              <Owners metadata={metadata} />
            </Fact>
          )}
          {metadata.finalizers && (
            <Fact name="Finalizers">
              <Chips texts={metadata.finalizers} />
            </Fact>
          )}
          {metadata.labels && (
            <Fact name="Labels">
              <Chips texts={Object.entries(metadata.labels).map(([key, value]) => `${key}=${value}`)} />
            </Fact>
          )}
        </dl>
      </section>
      {conditions.length > 0 && <Conditions conditions={conditions} />}
      {Object.entries(rest).map(([name, value]) => (
        <section key={name} class="card">
          <h2>{titleOf(name)}</h2>
          <ValueTree value={value} />
        </section>
      ))}
      {hasStatus && (
        <section class="card">
          <h2>Status</h2>
          <ValueTree value={shownStatus} />
        </section>
      )}
      {metadata.annotations && (
        <section class="card">
          <h2>Annotations</h2>
          <dl class="facts">
            {Object.entries(metadata.annotations).map(([key, value]) => (
              <Fact key={key} name={key}>
                {value.length > 400 ? <pre class="value-text">{value}</pre> : <SafeLink text={value} />}
              </Fact>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Chips({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="chips">
      {texts.map((text) => (
        <li key={text} class="chip">
          {text}
        </li>
      ))}
    </ul>
  );
}

function Owners({ metadata }: { metadata: ObjectMeta }) {
  return (
    <ul>
      {metadata.ownerReferences?.map((owner) => {
        const type = typeOfKind(owner.apiVersion, owner.kind);
        const text = `${owner.kind} ${owner.name}`;
        const namespace = type?.namespaced ? metadata.namespace : undefined;
        return (
          <li key={owner.uid}>
            {type ? <a href={routes.object(type, { namespace, name: owner.name })}>{text}</a> : text}
            {owner.controller && <span class="badge">controller</span>}
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Shows the finalizers that delay a deletion. The controller that added a finalizer removes it when its work is done.
 */
function DeletionCard({ object }: { object: ApiObject }) {
  const { deletionTimestamp = '', deletionGracePeriodSeconds, finalizers = [] } = object.metadata;
  const ofSpec =
    isObject(object.spec) && Array.isArray(object.spec.finalizers) ? (object.spec.finalizers as string[]) : [];
  const waits = [...finalizers, ...ofSpec];
  const due = Date.parse(deletionTimestamp) - now.value;
  return (
    <section class="card card-busy" aria-label="Deletion">
      <h2>Deletion was requested</h2>
      <p>
        It is due since <time dateTime={deletionTimestamp}>{deletionTimestamp}</time>
        {deletionGracePeriodSeconds ? ` with ${deletionGracePeriodSeconds} seconds of grace` : ''}
        {due > 0 ? `, in ${formatDuration(due)}` : ''}.
      </p>
      {waits.length > 0 ? (
        <>
          <p>It waits until these finalizers have been removed:</p>
          <ul class="waits">
            {waits.map((name) => (
              <li key={name}>
                <code>{name}</code> <span class="muted">{finalizerMeaning(name)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>No finalizer holds it. It is removed when its grace period ends.</p>
      )}
    </section>
  );
}

function finalizerMeaning(name: string): string {
  const known: Readonly<Record<string, string>> = {
    foregroundDeletion: 'until the dependents that block it are deleted: see Relations',
    orphan: 'until its dependents no longer name it as their owner',
    kubernetes: 'until the namespace is empty: see the conditions',
    'customresourcecleanup.apiextensions.k8s.io': 'until all objects of the type are deleted',
    'kubernetes.io/pvc-protection': 'until no pod uses the claim',
    'kubernetes.io/pv-protection': 'until no claim is bound to the volume',
  };
  return known[name] ?? 'until the controller that set it has removed it';
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export function conditionsOf(status: unknown): Condition[] {
  if (!isObject(status) || !Array.isArray(status.conditions)) return [];
  return status.conditions.filter(
    (condition) => isObject(condition) && typeof condition.type === 'string' && typeof condition.status === 'string',
  );
}

function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <section class="card">
      <h2>Conditions</h2>
      <div class="scroll-x">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Status</th>
              <th scope="col">Since</th>
              <th scope="col">Reason</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {conditions.map(({ type, status, reason, message, lastTransitionTime }) => (
              <tr key={type}>
                <td>{type}</td>
                <td class={`tone-${toneOf(status) ?? 'quiet'}`}>{status}</td>
                <td title={lastTransitionTime}>
                  {lastTransitionTime && formatDuration(now.value - Date.parse(lastTransitionTime))}
                </td>
                <td>{reason}</td>
                <td class="wrap">{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

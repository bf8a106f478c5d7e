import { useSignal } from '@preact/signals';
import type { ApiObject } from '../api/api-object.ts';
import { CreateDialog } from '../object/create-dialog.tsx';
import { useList } from '../shared/use-list.ts';
import { lazy } from '../shell/lazy.tsx';
import { namespace } from '../state/namespaces.ts';
import { routes } from '../state/routes.ts';
import { type AdmissionEntry, policyEntries, webhookEntries } from './admission-entries.ts';

const YamlEditor = lazy(() => import('../editor/yaml-editor.tsx').then((module) => module.default));

const group = 'admissionregistration.k8s.io';
const api = `/apis/${group}/v1`;

const example = `apiVersion: v1
kind: ConfigMap
metadata:
  name: attempt
data:
  key: value
`;

/** The policies and webhooks that change or reject objects, and a form to try them. */
export function AdmissionPage() {
  return (
    <div class="page">
      <header class="page-header">
        <h1>Admission</h1>
      </header>
      <div class="overview">
        <TryObject />
        <EntryTable
          title="Mutating policies"
          resource="mutatingadmissionpolicies"
          bindings="mutatingadmissionpolicybindings"
        />
        <EntryTable
          title="Validating policies"
          resource="validatingadmissionpolicies"
          bindings="validatingadmissionpolicybindings"
        />
        <EntryTable title="Mutating webhooks" resource="mutatingwebhookconfigurations" />
        <EntryTable title="Validating webhooks" resource="validatingwebhookconfigurations" />
      </div>
    </div>
  );
}

function TryObject() {
  const text = useSignal(example);
  const isTrying = useSignal(false);
  return (
    <section class="card">
      <header class="card-header">
        <h2>Try an object</h2>
        <button
          type="button"
          class="button primary"
          onClick={() => {
            isTrying.value = true;
          }}
        >
          Try
        </button>
      </header>
      <p class="hint">
        A dry run: all policies and webhooks see it, nothing is stored. Those who may create subjectaccessreviews are
        told who changed or denied it.
      </p>
      <div class="try-editor">
        <YamlEditor
          label="YAML of the object to try"
          value={text.value}
          revision={0}
          schema={undefined}
          onChange={(changed) => {
            text.value = changed;
          }}
          onSubmit={() => {
            isTrying.value = true;
          }}
        />
      </div>
      {isTrying.value && (
        <CreateDialog
          text={text.value}
          type={undefined}
          namespace={namespace.value}
          onClose={() => {
            isTrying.value = false;
          }}
        />
      )}
    </section>
  );
}

function EntryTable({ title, resource, bindings }: { title: string; resource: string; bindings?: string }) {
  const list = useList<ApiObject>(`${api}/${resource}`);
  const bound = useList<ApiObject>(`${api}/${bindings ?? resource}`);
  const entries = bindings ? policyEntries(list.items.value, bound.items.value) : webhookEntries(list.items.value);
  return (
    <section class="card">
      <h2>{title}</h2>
      {list.problem.value && <p class="muted">{list.problem.value}</p>}
      {list.isListed.value && entries.length === 0 && <p class="muted">There are none.</p>}
      {entries.length > 0 && (
        <div class="scroll-x">
          <table class="plain" aria-label={title}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Sees</th>
                <th scope="col">If it fails</th>
                <th scope="col">{bindings ? 'In force by' : 'Calls'}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <Row key={`${entry.object}/${entry.name}`} entry={entry} resource={resource} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ entry, resource }: { entry: AdmissionEntry; resource: string }) {
  const { object, name, sees, failurePolicy, targets } = entry;
  return (
    <tr>
      <td class="wrap">
        <a href={routes.object({ group, version: 'v1', resource }, { name: object })}>{name}</a>
      </td>
      <td class="wrap">{sees.join('; ') || 'nothing'}</td>
      <td>{failurePolicy}</td>
      <td class="wrap">{targets.join(', ') || <span class="tone-busy">not bound</span>}</td>
    </tr>
  );
}

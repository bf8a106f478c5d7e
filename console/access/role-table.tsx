import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { requestJson } from '../api/request.ts';
import { routes } from '../state/routes.ts';
import { type Binding, roleMatrix } from './rules.ts';

const api = '/apis/rbac.authorization.k8s.io/v1';
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const maxBindings = 5000;

/** The table of users and their roles. */
export function RoleTable({ namespace }: { namespace: string | undefined }) {
  const bindings = useSignal<readonly Binding[] | undefined>(undefined);
  const problem = useSignal('');
  const hasSystem = useSignal(false);
  useEffect(() => {
    const controller = new AbortController();
    const read = (path: string) =>
      requestJson<{ items: readonly Binding[] }>(`${api}/${path}?limit=${maxBindings}`, { signal: controller.signal });
    const inside = namespace ? `namespaces/${encodeURIComponent(namespace)}/rolebindings` : 'rolebindings';
    Promise.all([read('clusterrolebindings'), read(inside)]).then(
      (lists) => {
        bindings.value = lists.flatMap(({ items }) => items);
      },
      (error: ApiError) => {
        if (!controller.signal.aborted) problem.value = error.message;
      },
    );
    return () => controller.abort();
  }, [namespace]);
  const shown = (bindings.value ?? []).filter(
    ({ metadata }) => hasSystem.value || !metadata.name.startsWith('system:'),
  );
  const { roles, rows } = roleMatrix(shown);
  return (
    <section class="card">
      <header class="card-header">
        <h2>Roles and bindings</h2>
        <label class="choice">
          <input
            type="checkbox"
            checked={hasSystem.value}
            onChange={(event) => {
              hasSystem.value = event.currentTarget.checked;
            }}
          />
          with those of the system
        </label>
      </header>
      {problem.value && <p class="muted">{problem.value}</p>}
      {rows.length > 0 && (
        <div class="scroll-x matrix-box">
          <table class="plain matrix">
            <thead>
              <tr>
                <th scope="col">Subject</th>
                {roles.map((role) => (
                  <th key={role} scope="col" class="matrix-role">
                    <span>{role.replace(/^\w+ /, '')}</span>
                    {role.startsWith('Role ') && <span class="muted"> (role)</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ subject, bindings: own }) => (
                <tr key={subject}>
                  <th scope="row">
                    <span class="muted">{subject.slice(0, subject.indexOf(' '))}</span>{' '}
                    {subject.slice(subject.indexOf(' ') + 1)}
                  </th>
                  {roles.map((role) => (
                    <td key={role}>
                      {own.get(role)?.map(({ metadata }) => (
                        <a
                          key={`${metadata.namespace}/${metadata.name}`}
                          class="permission permission-all"
                          title={metadata.name}
                          href={routes.object(
                            { ...rbac, resource: metadata.namespace ? 'rolebindings' : 'clusterrolebindings' },
                            metadata,
                          )}
                        >
                          {metadata.namespace ?? 'everywhere'}
                        </a>
                      ))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

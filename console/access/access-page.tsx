import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { requestJson } from '../api/request.ts';
import { type ResourceType, typeKey } from '../api/resource-type.ts';
import { listedTypes } from '../state/catalog.ts';
import { namespace } from '../state/namespaces.ts';
import { matchesType } from '../state/navigation-groups.ts';
import { query, setQuery } from '../state/router.ts';
import { session } from '../state/session.ts';
import { showError } from '../state/toasts.ts';
import { RoleTable } from './role-table.tsx';
import { permissionOf, type ResourceRule } from './rules.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;
const reviews = '/apis/authorization.k8s.io/v1';

interface Review<S> {
  readonly status: S;
}

interface Rules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly ResourceRule[];
  readonly incomplete?: boolean;
  readonly evaluationError?: string;
}

interface Decision {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

/** The permissions of users in a namespace, and where they come from. */
export function AccessPage() {
  const ns = namespace.value ?? 'default';
  const { as = '', groups = '', q = '' } = query.value;
  const somebody = as === '' ? undefined : { user: as, groups: groups.split(',').filter(Boolean) };
  const rules = useSignal<Rules | undefined>(undefined);
  const problem = useSignal<ApiError | undefined>(undefined);
  const answer = useSignal<{ question: string; decision: Decision } | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    rules.value = undefined;
    problem.value = undefined;
    answer.value = undefined;
    requestJson<Review<Rules>>(`${reviews}/selfsubjectrulesreviews`, {
      method: 'POST',
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: ns } },
      as: somebody,
      signal: controller.signal,
    }).then(
      ({ status }) => {
        rules.value = status;
      },
      (error) => {
        if (!controller.signal.aborted) problem.value = error;
      },
    );
    return () => controller.abort();
  }, [ns, as, groups]);
  const check = async (type: ResourceType, verb: string) => {
    const resourceAttributes = {
      namespace: type.namespaced ? ns : '',
      verb,
      group: type.group,
      version: type.version,
      resource: type.resource,
    };
    try {
      const { status } = await requestJson<Review<Decision>>(`${reviews}/selfsubjectaccessreviews`, {
        method: 'POST',
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
        as: somebody,
      });
      answer.value = { question: `${verb} ${typeKey(type)}${type.namespaced ? ` in ${ns}` : ''}`, decision: status };
    } catch (error) {
      showError(error);
    }
  };
  const name = somebody?.user ?? session.value?.user?.username ?? '';
  return (
    <div class="page">
      <header class="page-header">
        <h1>Access</h1>
        <span class="muted">
          {name} in {ns}
        </span>
      </header>
      <div class="overview">
        <section class="card">
          <h2>Who</h2>
          <form
            class="inline-form"
            key={`${as}/${groups}`}
            onSubmit={(event) => {
              event.preventDefault();
              const data = new FormData(event.currentTarget);
              setQuery({ as: String(data.get('as')).trim(), groups: String(data.get('groups')).trim() });
            }}
          >
            <label class="field">
              <span>User</span>
              <input name="as" placeholder={session.value?.user?.username} defaultValue={as} />
            </label>
            <label class="field">
              <span>Groups</span>
              <input name="groups" placeholder="one,two" defaultValue={groups} />
            </label>
            <button type="submit" class="button">
              Show
            </button>
            <p class="hint">
              Somebody else is shown if you may impersonate them. A service account is
              system:serviceaccount:NAMESPACE:NAME.
            </p>
          </form>
        </section>
        {problem.value && (
          <p class="refusal" role="alert">
            {problem.value.message}
          </p>
        )}
        {answer.value && <Answer {...answer.value} name={name} />}
        {rules.value && (
          <section class="card">
            <header class="card-header">
              <h2>What {name} may do</h2>
              <input
                type="search"
                data-search
                aria-label="Find a type"
                placeholder="Find a type  ( / )"
                value={q}
                onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
              />
            </header>
            {rules.value.incomplete && (
              <p class="note">
                The list is not complete: {rules.value.evaluationError || 'an authorizer cannot list its rules'}.
              </p>
            )}
            <PermissionTable rules={rules.value.resourceRules} text={q} onCheck={check} />
            <h3 class="after-table">Paths that are no resources</h3>
            <ul class="chips">
              {rules.value.nonResourceRules.map((rule, index) => (
                <li key={index} class="chip">
                  {rule.verbs.join(', ')} {rule.nonResourceURLs?.join(', ')}
                </li>
              ))}
            </ul>
          </section>
        )}
        <RoleTable namespace={namespace.value} />
      </div>
    </div>
  );
}

function Answer({ question, decision, name }: { question: string; decision: Decision; name: string }) {
  return (
    <section class={`card ${decision.allowed ? 'card-good' : 'card-bad'}`} role="status">
      <h2>
        {name} {decision.allowed ? 'may' : 'may not'} {question}
      </h2>
      <p>{decision.reason || (decision.allowed ? 'No reason was given.' : 'No rule allows it.')}</p>
      {decision.evaluationError && <p class="muted">{decision.evaluationError}</p>}
    </section>
  );
}

function PermissionTable(props: {
  rules: readonly ResourceRule[];
  text: string;
  onCheck: (type: ResourceType, verb: string) => void;
}) {
  const { rules, text, onCheck } = props;
  const words = { all: 'yes', some: 'some', none: 'no' };
  return (
    <div class="scroll-x matrix-box">
      <table class="plain matrix">
        <thead>
          <tr>
            <th scope="col">Type</th>
            {verbs.map((verb) => (
              <th key={verb} scope="col">
                {verb}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listedTypes.value
            .filter((type) => matchesType(type, text))
            .map((type) => (
              <tr key={typeKey(type)}>
                <th scope="row">{typeKey(type)}</th>
                {verbs.map((verb) => {
                  if (!type.verbs.includes(verb)) return <td key={verb} class="muted" />;
                  const permission = permissionOf(rules, { group: type.group, resource: type.resource, verb });
                  return (
                    <td key={verb}>
                      <button
                        type="button"
                        class={`permission permission-${permission}`}
                        title={`Why? ${verb} ${typeKey(type)}`}
                        onClick={() => onCheck(type, verb)}
                      >
                        {words[permission]}
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

import type { AdmissionStep } from '../api/admission-step.ts';

/** Lists in order which plugins, webhooks and policies changed or denied an object in a dry run. */
export function AdmissionReport({ steps }: { steps: readonly AdmissionStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section aria-label="Admission">
      <h3>Who changed or denied it</h3>
      <div class="scroll-x">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Plugin</th>
              <th scope="col">Webhook or policy</th>
              <th scope="col">What it did</th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step, index) => (
              <tr key={index}>
                <td>{step.plugin}</td>
                <td class="wrap">{step.source}</td>
                <td class="wrap">
                  <PluginAction step={step} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function PluginAction({ step: { patch, denied } }: { step: AdmissionStep }) {
  if (denied !== undefined) return <span class="tone-bad">denied: {denied}</span>;
  if (patch === undefined) return <>changed too much to list</>;
  return (
    <ul class="deeds">
      {patch.map(({ op, path, value }) => (
        <li key={`${op} ${path}`}>
          {op} <code>{path}</code>
          {value !== undefined && (
            <>
              : <code>{JSON.stringify(value)}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

import { useMemo } from 'preact/hooks';
import { type ApiObject, withoutManagedFields } from '../api/api-object.ts';
import { Blame, type FieldOwner } from '../document/blame.ts';
import { yamlLines } from '../document/yaml-lines.ts';
import { formatDuration } from '../shared/age.ts';
import { now } from '../shared/now.ts';

const colours = 6;

/** Shows each line of the object with the manager that set it, and the time. */
export function BlameTab({ object }: { object: ApiObject }) {
  const { lines, managers } = useMemo(() => {
    const blame = new Blame(object);
    const all = yamlLines(withoutManagedFields(object)).map((line) => ({ ...line, owners: blame.ownersOf(line.path) }));
    const names = [...new Set(all.flatMap(({ owners }) => owners.map(({ manager }) => manager)))];
    return { lines: all, managers: names };
  }, [object]);
  const colourOf = (manager: string) => `blame-${managers.indexOf(manager) % colours}`;
  let previous = '';
  return (
    <section class="card blame" aria-label="Who set what">
      <ul class="chips">
        {managers.map((manager) => (
          <li key={manager} class={`chip ${colourOf(manager)}`}>
            {manager}
          </li>
        ))}
      </ul>
      <div class="scroll-x">
        <table class="blame-lines">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Manager</th>
              <th scope="col">Age</th>
              <th scope="col">Line</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ text, owners }, index) => {
              const [owner] = owners;
              const words = owners.map(describe).join(', ');
              const isNew = words !== previous;
              previous = words;
              return (
                <tr key={index} class={owner ? colourOf(owner.manager) : ''}>
                  <td class="blame-manager" title={words}>
                    {isNew && owner ? owner.manager : ''}
                    {isNew && owners.length > 1 ? ` +${owners.length - 1}` : ''}
                  </td>
                  <td class="blame-age">
                    {isNew && owner && Number.isFinite(owner.time) ? formatDuration(now.value - owner.time) : ''}
                  </td>
                  <td>
                    <code>{text}</code>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function describe({ manager, operation, subresource, time }: FieldOwner): string {
  const at = Number.isFinite(time) ? ` at ${new Date(time).toISOString()}` : '';
  return `${manager} (${operation}${subresource && ` of ${subresource}`})${at}`;
}

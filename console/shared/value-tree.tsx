import { isObject } from '../document/path.ts';
import { SafeLink } from './safe-link.tsx';

const maxItems = 200;
const openDepth = 2;

/** Shows any value, read-only. */
export function ValueTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object' || item === null)) {
      return <span class="value">{value.length === 0 ? '[]' : value.map((item) => String(item)).join(', ')}</span>;
    }
    return (
      <ol class="value-list">
        {value.slice(0, maxItems).map((item, index) => (
          <li key={index}>
            <Foldable title={titleOf(item, index)} depth={depth}>
              <ValueTree value={item} depth={depth + 1} />
            </Foldable>
          </li>
        ))}
        {value.length > maxItems && <li class="muted">and {value.length - maxItems} more: see the YAML</li>}
      </ol>
    );
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return <span class="value muted">{'{}'}</span>;
    return (
      <dl class="value-map">
        {entries.slice(0, maxItems).map(([name, inner]) => {
          const isFlat = !isNested(inner);
          return (
            <div key={name} class={isFlat ? 'value-flat' : 'value-nested'}>
              <dt>{name}</dt>
              <dd>
                <ValueTree value={inner} depth={depth + 1} />
              </dd>
            </div>
          );
        })}
        {entries.length > maxItems && <div class="muted">and {entries.length - maxItems} more: see the YAML</div>}
      </dl>
    );
  }
  if (typeof value === 'string') {
    return value.includes('\n') ? (
      <pre class="value-text">{value.length > 4000 ? `${value.slice(0, 4000)}…` : value}</pre>
    ) : (
      <span class="value">
        <SafeLink text={value.length > 1000 ? `${value.slice(0, 1000)}…` : value} />
      </span>
    );
  }
  return <span class="value mono">{String(value)}</span>;
}

function isNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return isObject(value) ? Object.keys(value).length > 0 : typeof value === 'string' && value.includes('\n');
}

function titleOf(item: unknown, index: number): string {
  if (!isObject(item)) return `${index}`;
  const name = item.name ?? item.type ?? item.key ?? item.port ?? item.ip;
  return name === undefined || typeof name === 'object' ? `${index}` : String(name);
}

function Foldable(props: { title: string; depth: number; children: preact.ComponentChildren }) {
  return (
    <details open={props.depth < openDepth} class="value-item">
      <summary>{props.title}</summary>
      {props.children}
    </details>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiObject } from '../api/api-object.ts';
import type { ResourceType } from '../api/resource-type.ts';
import { routes } from '../state/routes.ts';
import { showError } from '../state/toasts.ts';
import { layoutGraph, type PlacedNode, relatives } from './graph-layout.ts';
import { loadRelations, type Relations, type Relative } from './load-relations.ts';

const box = { width: 210, height: 42, gapX: 56, gapY: 10 };
const maxNodes = 400;

/** The owners and dependents of an object as a graph. */
export function RelationsTab({ object, type }: { object: ApiObject; type: ResourceType }) {
  const relations = useSignal<Relations | undefined>(undefined);
  const round = useSignal(0);
  const { uid = '' } = object.metadata;
  useEffect(() => {
    const controller = new AbortController();
    loadRelations(object, type, controller.signal).then((found) => {
      relations.value = found;
    }, showError);
    return () => controller.abort();
  }, [uid, round.value]);
  if (!relations.value) return <p class="loading">Searching all types…</p>;
  const all = relatives(relations.value.nodes, uid);
  const shown = all.slice(0, maxNodes);
  return (
    <section class="card">
      <header class="card-header">
        <h2>
          {all.length === 1 ? 'No owners, no dependents' : `${all.length - 1} related objects`}
          {all.length > maxNodes && `, ${maxNodes} of them shown`}
        </h2>
        <button type="button" class="button" onClick={() => round.value++}>
          Search again
        </button>
      </header>
      {relations.value.unknown.length > 0 && (
        <p class="note">Not searched to the end: {relations.value.unknown.join(', ')}.</p>
      )}
      <Graph nodes={shown} self={uid} />
    </section>
  );
}

function Graph({ nodes, self }: { nodes: readonly Relative[]; self: string }) {
  const { nodes: placed, columns, rows } = layoutGraph(nodes);
  const byUid = new Map(placed.map((entry) => [entry.node.uid, entry]));
  const x = ({ column }: PlacedNode<Relative>) => 2 + column * (box.width + box.gapX);
  const y = ({ row }: PlacedNode<Relative>) => 2 + row * (box.height + box.gapY);
  const width = columns * (box.width + box.gapX) - box.gapX + 4;
  const height = rows * (box.height + box.gapY) - box.gapY + 4;
  const edges = placed.flatMap((to) => to.node.owners.flatMap((owner) => ({ from: byUid.get(owner), to })));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keys.
    <section class="scroll-x" tabIndex={0} aria-label="Graph of owners and dependents">
      <svg class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>Owners and dependents</title>
        {edges.map(({ from, to }) => {
          if (!from) return null;
          const [x1, y1] = [x(from) + box.width, y(from) + box.height / 2];
          const [x2, y2] = [x(to), y(to) + box.height / 2];
          const middle = (x1 + x2) / 2;
          const d = `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
          return <path key={`${from.node.uid}/${to.node.uid}`} class="edge" d={d} />;
        })}
        {placed.map((entry) => (
          <Box key={entry.node.uid} node={entry.node} x={x(entry)} y={y(entry)} isSelf={entry.node.uid === self} />
        ))}
      </svg>
    </section>
  );
}

function Box({ node, x, y, isSelf }: { node: Relative; x: number; y: number; isSelf: boolean }) {
  const { kind, name, namespace, type, isDeleting, isMissing, isBlocking } = node;
  const state = isMissing ? 'missing' : isDeleting ? 'deleting' : '';
  const note = [state, isBlocking && !isSelf ? 'blocks its owner' : ''].filter(Boolean).join(', ');
  const content = (
    <g transform={`translate(${x} ${y})`} class={`graph-node ${isSelf ? 'self' : ''} ${state}`}>
      <title>{`${kind} ${name}${note && ` (${note})`}`}</title>
      <rect width={box.width} height={box.height} rx="6" />
      <text x="10" y="17" class="graph-kind">
        {note ? `${kind} · ${note}` : kind}
      </text>
      <text x="10" y="33">
        {name.length > 28 ? `${name.slice(0, 27)}…` : name}
      </text>
    </g>
  );
  if (!type || isMissing || isSelf) return content;
  return (
    <a href={routes.object(type, { namespace, name }, { tab: 'relations' })} aria-label={`${kind} ${name}`}>
      {content}
    </a>
  );
}

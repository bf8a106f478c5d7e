import { typeKey } from '../api/resource-type.ts';
import { listedTypes } from '../state/catalog.ts';
import { rememberedNamespace } from '../state/namespaces.ts';
import { navigationGroups } from '../state/navigation-groups.ts';
import { routes } from '../state/routes.ts';

export function Home() {
  const ns = rememberedNamespace();
  return (
    <div class="page">
      <header class="page-header">
        <h1>Resources</h1>
        <p class="muted">{listedTypes.value.length} types</p>
      </header>
      <div class="home-groups">
        {navigationGroups(listedTypes.value).map(({ title, types }) => (
          <section key={title} class="card">
            <h2>{title}</h2>
            <ul>
              {types.map((type) => (
                <li key={typeKey(type)}>
                  <a href={routes.table(type, { ns: type.namespaced ? ns : undefined })}>{type.kind}</a>
                  <span class="muted">{type.shortNames.join(', ')}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

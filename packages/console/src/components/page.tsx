import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly about?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Changgu`;
  }, [title]);
  return (
    <>
      <header class="page-header">
        <div>
          <h1>{title}</h1>
          {about === undefined ? null : <p class="faint">{about}</p>}
        </div>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

export function Facts({ of: facts }: { readonly of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

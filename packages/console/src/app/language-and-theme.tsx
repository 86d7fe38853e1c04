import { LANGUAGES, language, THEMES, theme } from './preferences.ts';
import { shellTexts } from './shell-texts.ts';

const LANGUAGE_NAMES = { ko: '한국어', en: 'English' } as const;

export function LanguageAndTheme() {
  const words = shellTexts();
  return (
    <div class="choices">
      <select
        aria-label={words.language}
        value={language.value}
        onChange={({ currentTarget }) => {
          language.value = LANGUAGES.find((each) => each === currentTarget.value) ?? 'ko';
        }}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each} selected={each === language.value}>
            {LANGUAGE_NAMES[each]}
          </option>
        ))}
      </select>
      <select
        aria-label={words.theme}
        value={theme.value}
        onChange={({ currentTarget }) => {
          theme.value = THEMES.find((each) => each === currentTarget.value) ?? 'system';
        }}
      >
        {THEMES.map((each) => (
          <option key={each} value={each} selected={each === theme.value}>
            {words.themes[each]}
          </option>
        ))}
      </select>
    </div>
  );
}

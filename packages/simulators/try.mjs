import fs from 'node:fs'; import {createRequire} from 'node:module';
const fk=(await import('@pdf-lib/fontkit')).default; const req=createRequire(import.meta.url);
for (const w of ['400Regular/NanumGothic_400Regular','700Bold/NanumGothic_700Bold']) {
const font=fk.create(fs.readFileSync(req.resolve('@expo-google-fonts/nanum-gothic/'+w+'.ttf')));
for (const ch of ' A납홍0-()') { try { const g=font.layout(ch).glyphs[0]; g.advanceWidth; g.cbox; g.bbox; console.log(ch,g.id,'ok'); } catch(e){console.log(ch,'bad',e.message)} }
console.log(font.numGlyphs);
}

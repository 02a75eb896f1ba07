/**
 * Letters by which the encoding of a text is recognized, most frequent first. Of alphabets that have the
 * letters of ASCII, the others.
 */
export const alphabets: readonly (readonly [encoding: string, letters: string])[] = [
  // French, German, Spanish, Portuguese, Italian, Swedish, Danish and Norwegian, Icelandic, Dutch, Catalan.
  ["windows-1252", "éèàêçôîûœâùïëü"],
  ["windows-1252", "üäöß"],
  ["windows-1252", "óíáéñú¿¡üºª"],
  ["windows-1252", "ãçéáêóíâúôõàü"],
  ["windows-1252", "èàùòìéí"],
  ["windows-1252", "äåöéà"],
  ["windows-1252", "åæøéö"],
  ["windows-1252", "íáðþéúóæöý"],
  ["windows-1252", "ëéèïöüê"],
  ["windows-1252", "àèéòçíïóúü"],
  // Polish, Czech, Slovak, Hungarian, Croatian and Slovene, Romanian.
  ["windows-1250", "ąęłóśżćńź"],
  ["windows-1250", "íáéěřžýčšůúťňďó"],
  ["windows-1250", "áíýčéžúšľťôňäóďŕĺ"],
  ["windows-1250", "áéöóíőüúű"],
  ["windows-1250", "čšžćđ"],
  ["windows-1250", "ăîşţâ"],
  // Turkish, Lithuanian, Latvian.
  ["windows-1254", "ışüğçöİâîû"],
  ["windows-1257", "ėšųūįžąęč"],
  ["windows-1257", "āīēšūņļžķčģ"],
  // Russian, Ukrainian, Belarusian, Bulgarian, Serbian.
  ["windows-1251", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"],
  ["windows-1251", "оанивітеурскмлдпязьбгчхйжїшєцщюфґ"],
  ["windows-1251", "аінеоыртслкдвумпязцьгўбчжшхйёюэф"],
  ["windows-1251", "аиеотнрсвлкдпмзъугбчяцщжшйхфюь"],
  ["windows-1251", "аоиенртсјувмдклпзбгчшњћхжљцџђф"],
  ["koi8-u", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"],
  ["koi8-u", "оанивітеурскмлдпязьбгчхйжїшєцщюфґ"],
  ["ibm866", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"],
  // Greek, Hebrew, Arabic and Persian, Thai.
  ["windows-1253", "αοιετσνηυρπκλμςθάγδέόωίύήώχφβξζψϊ"],
  ["windows-1255", "יוהלאתמרבשנדעכקחפםצגטןזסךףץ"],
  ["windows-1256", "اليمنترتوبسدعهفكحقجةصخشضطزذثغءىآأإئؤظپچژگ"],
  ["windows-874", "านรอก่เงมยล้วดัทส็ตีะปบคหิุแูจืพชใไขโผฉศซถธณภญฐษฟฝๆฎฏฒฆฬฌฮฑฃฅำฯ๊๋์ึ"],
];

/** Frequent characters of Chinese, simplified and traditional, and syllables of Korean. */
export const frequentCharacters = {
  gb18030:
    "的一是不了我你在人有他这个们中来上大为和国地到以说时要就出会可也对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实什吗吧呢啊",
  big5: "的一是不了我你在人有他這個們中來上大為和國地到以說時要就出會可也對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實什嗎吧呢啊",
  "euc-kr": "이다는을의에가고하지도를한나어아그사기리은로서니게만라자있요해으거네내",
} as const;

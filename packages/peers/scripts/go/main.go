// Records what Go's standard library answers: go run . > ../../../test/peers/goldens/go.json
// The go line of go.mod is that of the programs we follow: it decides how strictly hosts are read.
package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

var random = rand.New(rand.NewSource(1))

func joined(words []string, longest int) string {
	var text strings.Builder
	for count := 1 + random.Intn(longest); count > 0; count-- {
		text.WriteString(words[random.Intn(len(words))])
	}
	return text.String()
}

func table(count int, words []string, longest int, answer func(string) any, always ...string) [][2]any {
	seen := map[string]bool{}
	rows := [][2]any{}
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			rows = append(rows, [2]any{text, answer(text)})
		}
	}
	for _, text := range always {
		add(text)
	}
	for len(rows) < count {
		add(joined(words, longest))
	}
	return rows
}

func main() {
	record := map[string]any{}

	// Only characters that Go knows: a runtime with a newer Unicode knows more.
	characters := []string{}
	for code := rune(0); code < 0x300; code++ {
		characters = append(characters, string(code))
	}
	for len(characters) < 0x600 {
		code := rune(random.Intn(0x11000))
		if unicode.In(code, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co) {
			characters = append(characters, string(code))
		}
	}
	characters = append(characters, "\ufffd", "\ufeff", "\ue000", "\U0001f600", "\U000e0001", "\U0010ffff")
	quoted := [][2]any{}
	for _, character := range characters {
		quoted = append(quoted, [2]any{character, strconv.Quote(character)})
	}
	record["quote"] = quoted

	urlWords := []string{"http", "HTTPS", "data", "s3", "a", "b.c", ":", ":", "//", "//", "/", "/", "@", "[", "]", "[::1]", "::1", "fe80::1",
		"[fe80::1%25en0]", "%25", "%2", "%zz", "%41", "%c3%a9", "%7f", "%20", ":80", ":x", "?", "#", "é", " ", "<", ">", "\\", "*", "|",
		"\t", "\x7f", ";", "user:pw@", "1.2.3.4", "[1.2.3.4]", "[::ffff:1.2.3.4]", "a:1:2", "%€", "^"}
	record["url"] = table(2500, urlWords, 6, func(text string) any {
		parsed, err := url.Parse(text)
		if err != nil {
			return err.Error()
		}
		return map[string]string{"scheme": parsed.Scheme, "opaque": parsed.Opaque, "query": parsed.RawQuery}
	}, "", "*", "http://a:1:2/", "http://[::1]%41", "a#%zz", "http://é:80%zz/")

	queryWords := []string{"a", "b", "=", "=", "&", "&", "+", "%41", "%61", "%zz", ";", "é", "%c3%a9", " "}
	record["query"] = table(300, queryWords, 7, func(text string) any {
		values, _ := url.ParseQuery(text)
		if list, ok := values["a"]; ok {
			return list[0]
		}
		return nil
	})

	pathWords := []string{"a", "bc", ".", "..", "/", "/", "/", "é", ".x"}
	record["clean"] = table(300, pathWords, 7, func(text string) any { return path.Clean(text) }, "")
	record["extension"] = table(150, pathWords, 6, func(text string) any { return path.Ext(text) }, "")

	base64Words := []string{"A", "b", "9", "+", "/", "-", "_", "=", "=", "\n", "\r\n", "QUJD", "!", "é", "zz"}
	decoded := func(encoding *base64.Encoding) func(string) any {
		return func(text string) any {
			bytes, err := encoding.DecodeString(text)
			if err != nil {
				return int64(err.(base64.CorruptInputError))
			}
			return hex.EncodeToString(bytes)
		}
	}
	record["base64"] = table(900, base64Words, 7, decoded(base64.StdEncoding), "", "QQ==", "QQ=", "QQ", "QQ==\n", "QR==", "QUI=A")
	record["base64url"] = table(500, base64Words, 7, decoded(base64.URLEncoding))
	record["base64raw"] = table(500, base64Words[:7], 7, decoded(base64.RawStdEncoding), "", "Q", "QQ", "QUI", "QUJD\n")

	floats := [][3]string{}
	for count := 0; count < 600; count++ {
		value := math.Float64frombits(random.Uint64())
		switch count % 4 {
		case 1:
			value = float64(random.Intn(100000)) / math.Pow10(random.Intn(9))
		case 2:
			value = float64(math.Float32frombits(random.Uint32()))
		case 3:
			value = float64(random.Intn(3000)-1500) * math.Pow10(random.Intn(40)-20)
		}
		floats = append(floats, [3]string{
			strconv.FormatFloat(value, 'e', 17, 64),
			strconv.FormatFloat(value, 'g', -1, 32),
			strconv.FormatFloat(value, 'g', -1, 64)})
	}
	record["float"] = floats

	addressWords := []string{"1", "0", "10", "255", "256", "01", ".", ".", ".", ":", ":", "::", "ffff", "FE80", "12345", "1.2.3.4", "%eth0", "g", " ", "/8", "1:2:3:4:5:6"}
	record["address"] = table(1500, addressWords, 9, func(text string) any {
		answer := map[string]any{"net": nil, "fault": nil}
		if parsed := net.ParseIP(text); parsed != nil {
			answer["net"] = parsed.String()
		}
		if _, err := netip.ParseAddr(text); err != nil {
			answer["fault"] = err.Error()
		}
		return answer
	}, "", "::", "::1", "1::", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::", "::ffff:1.2.3.4", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4",
		"1:2:3:4:5:6:7:1.2.3.4", "::1:2:3:4:5:6:7:1.2.3.4", "1:0:0:2:0:0:0:3", "1:0:0:2:3:0:0:4", "1:0:2:3:4:5:6:7", "::ffff:0:1", "1.2.3.4::", "255.255.255.255", "1.2.3.4.", "%")

	spaces := []int{}
	for code := rune(0); code <= unicode.MaxRune; code++ {
		if unicode.IsSpace(code) {
			spaces = append(spaces, int(code))
		}
	}
	record["space"] = spaces

	texts := []string{}
	for count := 0; count < 200; count++ {
		texts = append(texts, joined([]string{"a", "Z", "é", "\uffff", "\ud7ff", "\ue000", "\U00010000", "\U0010ffff", "0"}, 5))
	}
	unsorted := append([]string{}, texts...)
	sort.Strings(texts)
	record["sort"] = map[string]any{"texts": unsorted, "sorted": texts}

	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(record); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

<?php $page = "0002"; include "head.php"; ?>
<!-- received="Fri Dec  2 03:20:00 1994" -->
<!-- isoreceived="19941202082000" -->
<!-- sent="soon" -->
<!-- isosent="19941202081730" -->
<!-- name="Anna" -->
<!-- email="anna&#64;library.example.org" -->
<!-- subject="conf:hypertext.example" -->
<!-- id="&lt;94Dec02.2&#64;library.example.org&gt;" -->
<!-- charset="utf-8" -->
<!-- expires="-1" -->
<div class="mail">
<!-- body="start" -->
<pre>
See <a href="http://hypermail.example.org/php">http://hypermail.example.org/php</a>,
or ask <a href="mailto:joe@host.example.org?subject=Re:">joe@host.example.org</a>.
</pre>
<!-- body="end" -->
</div>
<?php include "foot.php"; ?>
